import { toHexData } from '../../primitives/index.ts';
import type { BlockRecord, Receipt } from '../../types/index.ts';
import { asNumber } from '../blocks/blockResolvers.ts';
import { param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { pageSizeCodec } from '../codec/pageSize.ts';
import { countCodec } from '../codec/plainCodecs.ts';
import { DEFAULT_TRACE_CONFIG } from '../codec/traceConfig.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { RpcError } from '../rpcError.ts';
import { type RpcCall, resolved, rpcMethod, type Uses } from '../rpcMethod.ts';
import { ref } from '../schema/jsonSchema.ts';
import { tracedHeights } from '../tracing/tracedHeights.ts';
import { TRACE_READS, tracedJob } from '../tracing/traceTarget.ts';
import { bareReceipt, shortTransaction } from './otterscanFormat.ts';

const SEARCH_USES = [...TRACE_READS, 'traces', 'turns'] as const;

const search = {
  uses: SEARCH_USES,
  params: [
    param('address', addressCodec),
    resolved(param('block', countCodec), asNumber),
    param('pageSize', pageSizeCodec),
  ],
  result: ref('OtterscanPage'),
  isLong: true,
  needs: ['blocks', 'receipts', 'stateBefore'],
  errors: [TRACE_REFUSED, TRACING_FAILED],
} as const;

/**
 * Transactions in whose calls an account has a part, newest first. No index holds them: blocks are traced, one after
 * the other, until a page is full. A page ends with a whole block; one that ends early, for the limits of traces
 * (spec R-24), is not the last one.
 */
export const SEARCH_METHODS = [
  rpcMethod({
    name: 'ots_searchTransactionsBefore',
    summary:
      'Transactions of an account below a block, 0 for all, newest first; blocks are traced to find them',
    ...search,
    handle: async (deps, [address, block, pageSize], call) => {
      const from = Math.min(block === 0 ? deps.chain.height : block - 1, deps.chain.height);
      const wish = { address, pageSize, from, to: deps.initialHeight, isUpwards: false };
      const { page, isWhole } = await pageOf(deps, wish, call);
      return { ...shown(page), firstPage: block === 0, lastPage: isWhole };
    },
  }),
  rpcMethod({
    name: 'ots_searchTransactionsAfter',
    summary:
      'Transactions of an account above a block, 0 for all, newest first; blocks are traced to find them',
    ...search,
    handle: async (deps, [address, block, pageSize], call) => {
      const from = Math.max(block + 1, deps.initialHeight);
      const wish = { address, pageSize, from, to: deps.chain.height, isUpwards: true };
      const { page, isWhole } = await pageOf(deps, wish, call);
      return { ...shown(page.toReversed()), firstPage: isWhole, lastPage: block === 0 };
    },
  }),
];

type Found = readonly { readonly record: BlockRecord; readonly receipt: Receipt }[];

interface Wish {
  readonly address: Uint8Array;
  readonly pageSize: number;
  /** The first block to look at, and the last one. */
  readonly from: number;
  readonly to: number;
  /** Whether the newest block comes last. */
  readonly isUpwards: boolean;
}

/** In the direction of the search; whole when nothing is left beyond it. */
async function pageOf(
  deps: Uses<typeof SEARCH_USES>,
  { address, pageSize, from, to, isUpwards }: Wish,
  call: RpcCall,
): Promise<{ readonly page: Found; readonly isWhole: boolean }> {
  const page: { record: BlockRecord; receipt: Receipt }[] = [];
  if (isUpwards ? from > to : from < to) return { page, isWhole: true };
  try {
    for await (const { record, receipts, height } of tracedHeights(deps, { from, to }, call)) {
      const hashes = await appearances(deps, { record, receipts, address }, call);
      const matching = receipts.filter(({ transactionHash }) => hashes.has(toHexData(transactionHash)));
      for (const receipt of isUpwards ? matching : matching.toReversed()) page.push({ record, receipt });
      if (page.length >= pageSize) return { page, isWhole: height === to };
    }
  } catch (error) {
    // What was found goes out; the next page meets the limit first.
    if (!(error instanceof RpcError) || page.length === 0) throw error;
    return { page, isWhole: false };
  }
  return { page, isWhole: true };
}

async function appearances(
  deps: Uses<typeof SEARCH_USES>,
  wish: { readonly record: BlockRecord; readonly receipts: readonly Receipt[]; readonly address: Uint8Array },
  { signal }: Pick<RpcCall, 'signal'>,
): Promise<ReadonlySet<string>> {
  if (wish.receipts.length === 0) return new Set();
  const { base, traced } = tracedJob(deps, wish, { ...DEFAULT_TRACE_CONFIG, tracer: 'callTracer' });
  const params = { traced, address: toHexData(wish.address) };
  const hashes = await deps.traces.run('appearances', base, { params, signal });
  return new Set(hashes.map(toHexData));
}

function shown(found: Found) {
  return {
    txs: found.map(({ record, receipt }) => shortTransaction(record, receipt)),
    receipts: found.map(({ record, receipt }) => ({
      ...bareReceipt(record, receipt),
      timestamp: Number(record.block.header.time.seconds),
    })),
  };
}
