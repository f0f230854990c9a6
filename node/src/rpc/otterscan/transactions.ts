import { toHexData } from '../../primitives/index.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { DEFAULT_TRACE_CONFIG } from '../codec/traceConfig.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { RawJson } from '../rawJson.ts';
import { type RpcCall, rpcMethod, type Uses } from '../rpcMethod.ts';
import { arrayOf, nullable, objectOf } from '../schema/jsonSchema.ts';
import { ADDRESS, DATA, QUANTITY } from '../schema/valueSchemas.ts';
import { TRACE_READS, tracedJob, tracedTransaction } from '../tracing/traceTarget.ts';

const TRACED_USES = [...TRACE_READS, 'traces'] as const;

const traced = {
  uses: TRACED_USES,
  params: [param('transactionHash', hashCodec)],
  isLong: true,
  needs: ['blocks', 'receipts', 'stateBefore'],
  errors: [TRACE_REFUSED, TRACING_FAILED],
} as const;

/** One transaction as Otterscan shows it; null where there is no such EVM transaction. */
export const TRANSACTION_METHODS = [
  rpcMethod({
    name: 'ots_traceTransaction',
    summary: 'The calls of a transaction as a list with depths, in their order',
    result: nullable(
      arrayOf(
        objectOf({
          type: { type: 'string' },
          depth: { type: 'integer', minimum: 0 },
          from: ADDRESS,
          to: nullable(ADDRESS),
          value: nullable(QUANTITY),
          input: DATA,
          output: DATA,
        }),
      ),
    ),
    ...traced,
    handle: (deps, [hash], call) => answer(deps, { job: 'treeList', hash }, call),
  }),
  rpcMethod({
    name: 'ots_getInternalOperations',
    summary: 'What a transaction moved, created and destroyed by internal calls that were not undone',
    result: nullable(
      arrayOf(objectOf({ type: { enum: [0, 1, 2, 3] }, from: ADDRESS, to: ADDRESS, value: QUANTITY })),
    ),
    ...traced,
    handle: (deps, [hash], call) => answer(deps, { job: 'operations', hash }, call),
  }),
  rpcMethod({
    name: 'ots_getTransactionError',
    summary: 'Data with which a transaction reverted; `0x` when it did not; null when there is no such one',
    params: [param('transactionHash', hashCodec)],
    result: nullable(DATA),
    uses: ['history'],
    handle: ({ history }, [hash]) => {
      const receipt = history.transactionByHash(hash)?.receipt;
      if (!receipt) return null;
      return receipt.status === 1 ? '0x' : toHexData(receipt.returnData);
    },
  }),
];

async function answer(
  deps: Uses<typeof TRACED_USES>,
  { job, hash }: { readonly job: 'treeList' | 'operations'; readonly hash: Uint8Array },
  { signal }: Pick<RpcCall, 'signal'>,
): Promise<RawJson | null> {
  const found = tracedTransaction(deps, hash);
  if (!found) return null;
  const { base, traced } = tracedJob(deps, found, { ...DEFAULT_TRACE_CONFIG, tracer: 'callTracer' });
  return new RawJson(await deps.traces.run(job, base, { params: { traced }, signal }));
}
