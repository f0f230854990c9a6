/** `digits / 10^scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const MAX_LENGTH = 400;

/** A whole text such as `12` or `-1.5`; `undefined` for anything else. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = text.length <= MAX_LENGTH ? /^(-?\d+)(?:\.(\d*))?$/.exec(text) : undefined;
  if (!match) return undefined;
  const fraction = match[2] ?? '';
  return { digits: BigInt(`${match[1]}${fraction}`), scale: fraction.length };
}

/** The number that a text begins with. */
export function parseLeadingDecimal(text: string): Decimal | undefined {
  return parseDecimal(/^\d+(?:\.\d+)?/.exec(text.slice(0, MAX_LENGTH))?.[0] ?? '');
}

/** Negative, 0 or positive; exact. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const left = a.digits * 10n ** BigInt(Math.max(0, b.scale - a.scale));
  const right = b.digits * 10n ** BigInt(Math.max(0, a.scale - b.scale));
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
