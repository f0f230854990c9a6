import { serverError } from '../rpcError.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)/g;
const WHOLE = /^((\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h))+$/;

/** Milliseconds of a duration as Go writes it: `5s`, `1m30s`, `250ms`. Throws −32000 in Go's words. */
export function goDuration(text: string): number {
  if (text === '0') return 0;
  if (!WHOLE.test(text)) throw serverError(`time: invalid duration ${JSON.stringify(text)}`);
  return [...text.matchAll(PART)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * UNIT_MS[unit!]!,
    0,
  );
}
