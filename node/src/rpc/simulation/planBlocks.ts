import type { AccountOverride, BlockOverrides, CallRequest } from '../../execution/index.ts';
import { RpcError } from '../rpcError.ts';

/** A block that eth_simulateV1 is asked for. */
export interface RequestedBlock {
  readonly calls: readonly CallRequest[];
  readonly stateOverrides: readonly AccountOverride[];
  readonly blockOverrides: BlockOverrides;
}

/** With its place decided; `time` in seconds. */
export interface PlannedBlock extends RequestedBlock {
  readonly number: number;
  readonly time: bigint;
}

const MAX_BLOCKS = 256;
const CODE = { number: -38020, timestamp: -38021, limit: -38026 } as const;

/**
 * Gives each block its number and time, and fills skipped numbers with empty blocks. Throws −38020 and −38021 for
 * blocks that do not follow each other, −38026 for more than 256 in all.
 */
export function planBlocks(
  requested: readonly RequestedBlock[],
  base: { readonly number: number; readonly time: bigint },
): PlannedBlock[] {
  const planned: PlannedBlock[] = [];
  let last = base;
  for (const block of requested) {
    const number = numberOf(block, last.number, base.number);
    while (last.number + 1 < number) {
      const empty = { number: last.number + 1, time: last.time + 1n };
      planned.push({ ...empty, calls: [], stateOverrides: [], blockOverrides: {} });
      last = empty;
    }
    const time = block.blockOverrides.time ?? last.time + 1n;
    if (time <= last.time) {
      throw new RpcError(CODE.timestamp, `block timestamps must be in order: ${time} <= ${last.time}`);
    }
    last = { number, time };
    planned.push({ ...block, ...last });
  }
  return planned;
}

function numberOf({ blockOverrides }: RequestedBlock, last: number, base: number): number {
  const number = blockOverrides.number ?? BigInt(last + 1);
  if (number <= BigInt(last)) {
    throw new RpcError(CODE.number, `block numbers must be in order: ${number} <= ${last}`);
  }
  if (number > BigInt(base + MAX_BLOCKS)) {
    throw new RpcError(CODE.limit, `too many blocks: ${number - BigInt(base)}, max ${MAX_BLOCKS}`);
  }
  return Number(number);
}
