import { type EvmFork, isStandardPrecompile, USUAL_FORK } from '../evm/index.ts';
import { toHexData } from '../primitives/index.ts';
import { sortedJson } from './sortedJson.ts';
import type { Tracer } from './tracer.ts';

const SELECTOR_BYTES = 4;
const CALLS: ReadonlySet<string> = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL']);

/** Counts selectors with the sizes of their arguments: `{"0x27dc297e-128": 1}`. */
export function fourByteTracer(): Tracer {
  const counts = new Map<string, number>();
  let fork: EvmFork = USUAL_FORK;
  return {
    onStart: (transaction) => {
      fork = transaction.fork;
    },
    onEnter: ({ kind, to, input }) => {
      if (input.length < SELECTOR_BYTES || !CALLS.has(kind) || isStandardPrecompile(to, fork)) return;
      const key = `${toHexData(input.subarray(0, SELECTOR_BYTES))}-${input.length - SELECTOR_BYTES}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    result: () => sortedJson(counts, String),
  };
}
