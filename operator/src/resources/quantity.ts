/** `2Ti`, `500M`, `1e9`, `0.5Gi`: bytes, rounded up. `undefined` for what is no quantity. */
export function bytesOf(quantity: string | undefined): bigint | undefined {
  const match = /^(\d+)(?:\.(\d{1,9}))?(?:(Ki|Mi|Gi|Ti|Pi|Ei|k|M|G|T|P|E)|[eE](\d{1,2}))?$/.exec(
    quantity ?? '',
  );
  if (!match) return undefined;
  const [, whole = '', fraction = '', suffix = '', exponent] = match;
  const factor = exponent === undefined ? FACTORS[suffix]! : 10n ** BigInt(exponent);
  const scale = 10n ** BigInt(fraction.length);
  return (BigInt(whole + fraction) * factor + scale - 1n) / scale;
}

const FACTORS: Readonly<Record<string, bigint>> = {
  '': 1n,
  ...Object.fromEntries([...'kMGTPE'].map((unit, i) => [unit, 1000n ** BigInt(i + 1)])),
  ...Object.fromEntries([...'KMGTPE'].map((unit, i) => [`${unit}i`, 1024n ** BigInt(i + 1)])),
};

/** The larger of both; what is no quantity counts as nothing. */
export function largerOf(a: string, b: string | undefined): string {
  return (bytesOf(b) ?? 0n) > (bytesOf(a) ?? 0n) ? b! : a;
}

/** Size after one step of growing, in whole MiB; `increase` is a quantity or a percentage. Never above `max`. */
export function grown(
  size: string,
  { increase, max }: { readonly increase: string; readonly max: string },
): string {
  const now = bytesOf(size) ?? 0n;
  const step = increase.endsWith('%')
    ? (now * BigInt(increase.slice(0, -1))) / 100n
    : (bytesOf(increase) ?? 0n);
  const limit = bytesOf(max) ?? now;
  const wanted = now + step > limit ? limit : now + step;
  return wanted <= now ? size : `${(wanted + MIB - 1n) / MIB}Mi`;
}

const MIB = 1n << 20n;
