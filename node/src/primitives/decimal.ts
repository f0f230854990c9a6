/** 1.0 in the ledger's decimal type: 18 digits after the point, held as a scaled bigint. */
export const DECIMAL_ONE = 10n ** 18n;

/** Division of non-negative numbers, half to even. */
function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice < denominator || (twice === denominator && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
}

/** Product of two non-negative decimals. */
export function multiplyDecimal(a: bigint, b: bigint): bigint {
  return divideHalfEven(a * b, DECIMAL_ONE);
}

/** Quotient of two non-negative decimals; `b` is not zero. */
export function divideDecimal(a: bigint, b: bigint): bigint {
  return divideHalfEven(a * DECIMAL_ONE, b);
}

/** Parses `12` or `0.0189`; `undefined` for anything else, also for more than 18 digits after the point. */
export function parseDecimal(text: string): bigint | undefined {
  const parts = /^(\d{1,60})(?:\.(\d{1,18}))?$/.exec(text);
  if (!parts) return undefined;
  return BigInt(parts[1]!) * DECIMAL_ONE + BigInt((parts[2] ?? '').padEnd(18, '0'));
}

/** Shortest text that parses back to the same decimal. */
export function formatDecimal(decimal: bigint): string {
  const fraction = (decimal % DECIMAL_ONE).toString().padStart(18, '0').replace(/0+$/, '');
  return `${decimal / DECIMAL_ONE}${fraction && `.${fraction}`}`;
}

/** Product of two non-negative decimals, rounded down. */
export function multiplyDecimalDown(a: bigint, b: bigint): bigint {
  return (a * b) / DECIMAL_ONE;
}

/** Quotient of two non-negative decimals, rounded down; `b` is not zero. */
export function divideDecimalDown(a: bigint, b: bigint): bigint {
  return (a * DECIMAL_ONE) / b;
}
