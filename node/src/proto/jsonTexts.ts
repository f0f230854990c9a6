const DECIMALS = 18;

/** "1500000000000000000" as "1.500000000000000000". */
export function decimalText(scaled: string): string {
  const negative = scaled.startsWith('-');
  const digits = (negative ? scaled.slice(1) : scaled).padStart(DECIMALS + 1, '0');
  const point = digits.length - DECIMALS;
  return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** RFC 3339 with no, 3, 6 or 9 digits of a second. */
export function timestampText(seconds: bigint, nanos: number): string {
  const date = new Date(Number(seconds) * 1000);
  // Beyond what a Date holds there is no calendar form; Go's zero time is within.
  if (Number.isNaN(date.getTime())) return `${seconds}s`;
  return `${date.toISOString().slice(0, -'.000Z'.length)}${fraction(nanos)}Z`;
}

/** "1814400s" */
export function durationText(seconds: bigint, nanos: number): string {
  const negative = seconds < 0n || nanos < 0;
  const whole = seconds < 0n ? -seconds : seconds;
  return `${negative ? '-' : ''}${whole}${fraction(Math.abs(nanos))}s`;
}

function fraction(nanos: number): string {
  if (nanos === 0) return '';
  const digits = nanos.toString().padStart(9, '0');
  return `.${digits.replace(/(000){1,2}$/, '')}`;
}
