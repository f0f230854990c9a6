import { type PointReads, type StateReads, withChanges } from '../../state/view/index.ts';
import { RpcError } from '../rpcError.ts';
import { GasMeter } from './gasMeter.ts';
import { BEFORE_FIRST_BLOCK, type JobBase, type JobKind, type JobScope } from './jobKind.ts';
import { JOBS, type JobName } from './jobTable.ts';
import { rowsLoaded } from './loadedRange.ts';

/** What goes to a thread with the name of a job. */
export interface JobOrder {
  readonly params: unknown;
  /** Every version up to this one can be read there. */
  readonly synced: number;
  /** How often the store went back. */
  readonly rewinds: number;
}

/** A result, or an RpcError in parts: the pool carries coded errors, but not what is special about this one. */
export type JobAnswer = { /** What it burned. */ readonly gas: number } & (
  | { readonly result: unknown }
  | { readonly refused: { readonly code: number; readonly message: string; readonly data: unknown } }
);

/** The worker thread's side. `name` is a JobName that `Jobs` sent. */
export async function runJob(
  name: string,
  params: unknown,
  { execution, stateOf, interrupt }: Omit<JobScope, 'onBurn'>,
): Promise<JobAnswer> {
  // The params were typed by the sender's table, which is this one.
  const kind = JOBS[name as JobName] as JobKind<unknown, unknown>;
  const meter = new GasMeter(() => interrupt());
  try {
    const { interrupt, onBurn } = meter;
    const result = await kind.run(params, { execution, stateOf, interrupt, onBurn });
    return { result, gas: meter.gas };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const refused = { code: error.rpcCode, message: error.message, data: error.data };
    return { refused, gas: meter.gas };
  }
}

/** The bytes of a result that is nothing else: they may be many megabytes, which a copy would stop all others for. */
export function movedOf(answer: JobAnswer): ArrayBuffer[] {
  const bytes = 'result' in answer ? answer.result : undefined;
  if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) return [];
  return bytes.length === bytes.buffer.byteLength ? [bytes.buffer] : [];
}

export function resultOf(answer: JobAnswer): unknown {
  if ('result' in answer) return answer.result;
  throw new RpcError(answer.refused.code, answer.refused.message, answer.refused.data);
}

const NOTHING: PointReads = { get: () => undefined };

/**
 * The state that a job is on, for which `at` gives the state after a version; it is only read. Ranges are those that
 * the base has: any other throws RPC_RANGE_MISSING.
 */
export function stateOn(
  { version, changes, ranges = [] }: Pick<JobBase, 'version' | 'changes' | 'ranges'>,
  at: (version: number) => PointReads,
): StateReads {
  const points = version === BEFORE_FIRST_BLOCK ? NOTHING : at(version);
  const state: StateReads = {
    get: (store, key) => points.get(store, key),
    iterate: (store, range) => rowsLoaded(ranges, store, range),
  };
  return withChanges(state, changes);
}
