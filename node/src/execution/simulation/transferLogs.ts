import type { EvmTracer, TracedFrame, TracedOutcome, TracedStep } from '../../evm/index.ts';
import { bigintToFixedBytes, hexToBytes, keccak256, padLeft, utf8 } from '../../primitives/index.ts';
import type { EvmLog } from '../../types/index.ts';

/** Where eth_simulateV1 lets transfers of value come from. */
const EMITTER = hexToBytes('ee'.repeat(20));
const TRANSFER = keccak256(utf8('Transfer(address,address,uint256)'));
const FIRST_LOG_OPCODE = 0xa0;
const LAST_LOG_OPCODE = 0xa4;

/** A transfer of value, or the place of a log that the execution itself gives. */
type Entry = { readonly from: Uint8Array; to: Uint8Array | null; readonly value: bigint } | 'log';

/** Watches one execution and puts its transfers of value among its logs, as logs of ERC-20 transfers. */
export class TransferLogs implements EvmTracer {
  readonly #entries: Entry[] = [];
  /** Where the entries of each open frame begin: a frame that fails takes all of them along. */
  readonly #frames: number[] = [];

  onEnter({ kind, from, to, value }: TracedFrame): void {
    this.#frames.push(this.#entries.length);
    if (value > 0n && kind !== 'DELEGATECALL') this.#entries.push({ from, to, value });
  }

  onExit({ error, createdAddress }: TracedOutcome): void {
    const start = this.#frames.pop() ?? 0;
    const own = this.#entries[start];
    if (error !== undefined) this.#entries.length = start;
    else if (createdAddress && own && own !== 'log') own.to ??= createdAddress;
  }

  onStep({ opcode }: TracedStep): void {
    if (opcode >= FIRST_LOG_OPCODE && opcode <= LAST_LOG_OPCODE) this.#entries.push('log');
  }

  /** `logs` of a successful execution with its transfers in between. */
  among(logs: readonly EvmLog[]): EvmLog[] {
    let next = 0;
    const merged = this.#entries.flatMap((entry) => {
      if (entry !== 'log') return entry.to ? [transferLog({ ...entry, to: entry.to })] : [];
      const log = logs[next++];
      return log ? [log] : [];
    });
    // Precompiles give logs without an opcode.
    return [...merged, ...logs.slice(next)];
  }
}

function transferLog(transfer: { from: Uint8Array; to: Uint8Array; value: bigint }): EvmLog {
  return {
    address: EMITTER,
    topics: [TRANSFER, padLeft(transfer.from, 32), padLeft(transfer.to, 32)],
    data: bigintToFixedBytes(transfer.value, 32),
  };
}
