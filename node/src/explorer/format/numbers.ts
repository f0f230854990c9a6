const WEI_DIGITS = 18;

/** A whole number with its thousands apart: `12,345,678`. */
export function grouped(value: bigint | number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Units of `10^-decimals` as a decimal without trailing zeros. */
export function scaled(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${grouped(BigInt(whole))}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Wei as tokens. */
export function tokens(wei: bigint | string): string {
  return `${scaled(BigInt(wei), WEI_DIGITS)} tokens`;
}

/** Wei as gwei: prices of gas. */
export function gwei(wei: bigint | string): string {
  return `${scaled(BigInt(wei), 9)} gwei`;
}

/** `part` of `whole` in percent, with one digit. */
export function percent(part: bigint, whole: bigint): string {
  return whole === 0n ? '0.0 %' : `${(Number((part * 1000n) / whole) / 10).toFixed(1)} %`;
}
