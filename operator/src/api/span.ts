const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of a span such as `1h30m`, as the definition allows it. */
export function msOf(span: string): number {
  let ms = 0;
  for (const [, number, unit] of span.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    ms += Number(number) * UNITS[unit as keyof typeof UNITS];
  }
  return ms;
}
