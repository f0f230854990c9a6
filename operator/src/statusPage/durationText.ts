/** Seconds and name, the largest first. */
const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** A duration in milliseconds as a person says it, in at most two units: `8 s`, `3 min 20 s`, `4 d 3 h`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const first = UNITS.findIndex(([size]) => seconds >= size);
  if (first === -1) return '0 s';
  let rest = seconds;
  const parts = UNITS.slice(first, first + 2).map(([size, name]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count > 0 ? `${count} ${name}` : '';
  });
  return parts.join(' ').trimEnd();
}

/** Of the newest block that a node has told of: its age now; or when nobody has asked since, the age that it had. */
export function blockText(
  { blockTime, seenAt }: { readonly blockTime: number | undefined; readonly seenAt: number | undefined },
  now: number,
): string | undefined {
  if (blockTime === undefined) return undefined;
  if (seenAt === undefined || now - seenAt < FRESH_MS) return `${durationText(now - blockTime)} ago`;
  return `${durationText(Math.max(0, seenAt - blockTime))} old, ${durationText(now - seenAt)} ago`;
}

/** Nodes are asked every few seconds. */
const FRESH_MS = 30_000;
