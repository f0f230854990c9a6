import { toHexData } from '../../primitives/index.ts';
import type { TraceConfig, TracedEntry } from '../../tracing/index.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import type { BlockId } from '../codec/blockId.ts';
import { RawJson } from '../rawJson.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import type { RpcCall } from '../rpcMethod.ts';
import { blockToTrace, checkStateBefore, tracedBlock } from './traceTarget.ts';

/** One entry for each EVM transaction of a block, in their order, with its trace or why there is none. */
export async function traceEntries(
  deps: RpcDeps,
  { id, config }: { readonly id: BlockId; readonly config: TraceConfig },
  call: Pick<RpcCall, 'signal'>,
): Promise<TracedEntry[]> {
  const record = blockToTrace(deps, id);
  const receipts = listedReceipts(record);
  if (receipts.length === 0) return [];
  const { height } = record.block.header;
  checkStateBefore(deps, height);
  return deps.traces.block(
    { version: height - 1, height },
    tracedBlock(record, receipts, { config, limits: deps.limits }),
    call,
  );
}

/** The entries as they go over the wire. */
export function entriesJson(entries: readonly TracedEntry[]): RawJson {
  const texts = entries.map(({ transactionHash, result, error }) => {
    const outcome = error === undefined ? `"result":${result}` : `"error":${JSON.stringify(error)}`;
    return `{"txHash":"${toHexData(transactionHash)}",${outcome}}`;
  });
  return new RawJson(`[${texts.join(',')}]`);
}
