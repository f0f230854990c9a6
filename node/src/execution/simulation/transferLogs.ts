import type { EvmTracer, TracedFrame, TracedOutcome } from '../../evm/index.ts';
import { hexToBytes } from '../../primitives/index.ts';
import type { EvmLog } from '../../types/index.ts';
import { transferLog } from '../transferLog.ts';

/** Where eth_simulateV1 lets transfers of value come from. */
const EMITTER = hexToBytes('ee'.repeat(20));

/** A transfer of value, or the place of a log that the execution itself gives. */
type Entry = { readonly from: Uint8Array; readonly to: Uint8Array; readonly value: bigint } | 'log';

/** Watches one execution and puts its transfers of value among its logs, as logs of ERC-20 transfers. */
export class TransferLogs implements EvmTracer {
  readonly #entries: Entry[] = [];
  /** Where the entries of each open frame begin: a frame that fails takes all of them along. */
  readonly #frames: number[] = [];

  onEnter({ kind, from, to, value }: TracedFrame): void {
    this.#frames.push(this.#entries.length);
    if (value && kind !== 'DELEGATECALL') this.#entries.push({ from, to, value });
  }

  onExit({ error }: TracedOutcome): void {
    const start = this.#frames.pop() ?? 0;
    if (error !== undefined) this.#entries.length = start;
  }

  onLog(): void {
    this.#entries.push('log');
  }

  /** `logs` of a successful execution with its transfers in between. */
  among(logs: readonly EvmLog[]): EvmLog[] {
    let next = 0;
    const merged = this.#entries.flatMap((entry) => {
      if (entry !== 'log') return [transferLog(EMITTER, entry)];
      const log = logs[next++];
      return log ? [log] : [];
    });
    // Precompiles give logs without an opcode.
    return [...merged, ...logs.slice(next)];
  }
}
