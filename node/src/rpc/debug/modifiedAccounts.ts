import { toHexData } from '../../primitives/index.ts';
import type { BlockId } from '../codec/blockId.ts';
import { type Codec, optionalParam, param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { plainBlockCodec } from '../codec/plainBlock.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { serverError } from '../rpcError.ts';
import { type RpcCall, type RpcMethod, resolved, rpcMethod, type Uses } from '../rpcMethod.ts';
import { arrayOf } from '../schema/jsonSchema.ts';
import { ADDRESS } from '../schema/valueSchemas.ts';
import { asTraced, asTracedIfNamed } from '../tracing/tracedBlocks.ts';
import { tracedHeights } from '../tracing/tracedHeights.ts';
import { stateBefore, TRACE_READS } from '../tracing/traceTarget.ts';

const USES = [...TRACE_READS, 'traces', 'turns'] as const;

/** Blocks are run again to see what they write; what the end of a block gives out is no transaction's. */
export const MODIFIED_ACCOUNTS: readonly RpcMethod[] = [
  modifiedAccounts('debug_getModifiedAccountsByNumber', plainBlockCodec),
  modifiedAccounts('debug_getModifiedAccountsByHash', hashCodec),
];

function modifiedAccounts(name: string, codec: Codec<BlockId>): RpcMethod {
  return rpcMethod({
    name,
    summary:
      'Accounts that the transactions of a block wrote; with two blocks, of those behind the first up to the second',
    params: [
      resolved(param('start', codec), asTraced),
      resolved(optionalParam('end', codec, undefined), asTracedIfNamed),
    ],
    result: arrayOf(ADDRESS),
    isLong: true,
    needs: ['blocks', 'receipts', 'stateBefore'],
    errors: [TRACE_REFUSED, TRACING_FAILED],
    uses: USES,
    handle: async (deps, [start, end], call) => {
      const first = start.block.header.height;
      if (!end) return written(deps, { from: first, to: first }, call);
      const last = end.block.header.height;
      if (first >= last)
        throw serverError(`start block height (${first}) must be less than end block height (${last})`);
      const span = last - first;
      const { maxLogBlocks } = deps.limits;
      if (span > maxLogBlocks) {
        throw serverError(`block range too large (${span}), maximum allowed is ${maxLogBlocks} blocks`);
      }
      return written(deps, { from: first + 1, to: last }, call);
    },
  });
}

async function written(
  deps: Uses<typeof USES>,
  range: { readonly from: number; readonly to: number },
  call: RpcCall,
): Promise<string[]> {
  const accounts = new Set<string>();
  for await (const { height, record } of tracedHeights(deps, range, call)) {
    const params = { txs: record.block.txs };
    const found = await deps.traces.run('modifiedAccounts', stateBefore(deps, height), {
      params,
      signal: call.signal,
    });
    for (const address of found) accounts.add(toHexData(address));
  }
  return [...accounts].sort();
}
