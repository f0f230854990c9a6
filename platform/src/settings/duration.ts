import { Refusal, type Setting } from './setting.ts';

/** Milliseconds of each unit that Go's durations know, largest first. */
const UNITS = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 0.001, µs: 0.001, ns: 0.000_001 } as const;
const WHOLE = /^(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/;
const PART = /(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g;

/** Go's duration text (`1h30m`, `300ms`, `0`) in ms; undefined when malformed. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!WHOLE.test(text)) return undefined;
  return [...text.matchAll(PART)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNITS[unit as 's'],
    0,
  );
}

/** The shortest text with whole numbers: 90,000 is `1m30s`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  let rest = ms;
  let text = '';
  for (const unit of ['h', 'm', 's', 'ms'] as const) {
    const count = unit === 'ms' ? rest : Math.floor(rest / UNITS[unit]);
    rest -= count * UNITS[unit];
    if (count > 0) text += `${count}${unit}`;
  }
  return text;
}

/** A time as Go writes it; its value is in ms. */
export function duration(
  ms: number,
  about: string,
  limits: { readonly minMs?: number } = {},
): Setting<number> {
  const { minMs = 0 } = limits;
  const wanted = `a time such as "30s" or "1m30s"${minMs > 0 ? `, at least ${formatDuration(minMs)}` : ''}`;
  const parse = (value: unknown): number | Refusal => {
    const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
    if (parsed === undefined) return new Refusal('not a time', wanted);
    return parsed < minMs ? new Refusal('too short', wanted) : parsed;
  };
  return {
    type: 'duration',
    default: ms,
    unit: undefined,
    rule: minMs > 0 ? `at least ${formatDuration(minMs)}` : '0 or more',
    about,
    inert: false,
    defaultByMode: {},
    parse,
    parseText: parse,
    format: (value) => `"${formatDuration(value)}"`,
  };
}
