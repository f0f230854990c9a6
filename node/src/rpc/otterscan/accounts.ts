import { delegationTarget, readCode, readNonce } from '../../evm/index.ts';
import { equalBytes, toHexData } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { asState } from '../blocks/blockResolvers.ts';
import { requireHeld } from '../blocks/floors.ts';
import { listedReceipts, transactionOf } from '../blocks/listedTransactions.ts';
import { BLOCK_READS, type BlockReads } from '../blocks/resolveBlock.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { countCodec } from '../codec/plainCodecs.ts';
import { DEFAULT_TRACE_CONFIG } from '../codec/traceConfig.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { type RpcCall, resolved, rpcMethod, type Uses } from '../rpcMethod.ts';
import { nullable, objectOf } from '../schema/jsonSchema.ts';
import { ADDRESS, BOOLEAN, HASH } from '../schema/valueSchemas.ts';
import { blockToTrace, TRACE_READS, tracedJob } from '../tracing/traceTarget.ts';
import { firstHeight } from './firstHeight.ts';

/** The version of its API that Otterscan asks for. */
const API_LEVEL = 8;

const CREATION_USES = [...TRACE_READS, 'traces'] as const;

export const ACCOUNT_METHODS = [
  rpcMethod({
    name: 'ots_getApiLevel',
    summary: 'Version of the Otterscan API that this node has',
    params: [],
    result: { const: API_LEVEL },
    handle: () => API_LEVEL,
  }),
  rpcMethod({
    name: 'ots_hasCode',
    summary: 'Whether an account has code',
    params: [
      param('address', addressCodec),
      resolved(optionalParam('block', blockIdCodec, 'latest' as const), asState),
    ],
    result: BOOLEAN,
    needs: ['state'],
    handle: (_deps, [address, state]) => readCode(state, address).length > 0,
  }),
  rpcMethod({
    name: 'ots_getTransactionBySenderAndNonce',
    summary: 'Hash of the transaction that took a nonce of its sender; null when none did',
    params: [param('sender', addressCodec), param('nonce', countCodec)],
    result: nullable(HASH),
    needs: ['blocks', 'receipts', 'state'],
    uses: BLOCK_READS,
    handle: (deps, [sender, nonce]) => {
      const height = firstHeight(deps, (state) => readNonce(state, sender) > BigInt(nonce));
      const record = height === undefined ? undefined : recordAt(deps, height);
      const receipt = record?.receipts.find(
        (each) => equalBytes(each.from, sender) && transactionOf(record, each)?.nonce === BigInt(nonce),
      );
      return receipt ? toHexData(receipt.transactionHash) : null;
    },
  }),
  rpcMethod({
    name: 'ots_getContractCreator',
    summary: 'Transaction that created a contract, and its creator; null for other accounts and for genesis',
    params: [param('address', addressCodec)],
    result: nullable(objectOf({ hash: HASH, creator: ADDRESS })),
    isLong: true,
    needs: ['blocks', 'receipts', 'state'],
    errors: [TRACE_REFUSED, TRACING_FAILED],
    uses: CREATION_USES,
    handle: async (deps, [address], call) => {
      const height = firstHeight(deps, (state) => isContract(readCode(state, address)));
      return height === undefined ? null : creationIn(deps, { height, address }, call);
    },
  }),
];

function recordAt(deps: BlockReads, height: number): BlockRecord | undefined {
  requireHeld(deps, height, ['blocks', 'receipts']);
  return deps.history.blockByHeight(height);
}

/** A delegation makes no contract of an account. */
function isContract(code: Uint8Array): boolean {
  return code.length > 0 && !delegationTarget(code);
}

async function creationIn(
  deps: Uses<typeof CREATION_USES>,
  { height, address }: { readonly height: number; readonly address: Uint8Array },
  { signal }: Pick<RpcCall, 'signal'>,
) {
  const held = recordAt(deps, height);
  const own = held?.receipts.find(
    ({ contractAddress, status }) => status === 1 && contractAddress && equalBytes(contractAddress, address),
  );
  if (own) return { hash: toHexData(own.transactionHash), creator: toHexData(own.from) };
  const record = blockToTrace(deps, height);
  const receipts = listedReceipts(record);
  if (receipts.length === 0) return null;
  const { base, traced } = tracedJob(
    deps,
    { record, receipts },
    { ...DEFAULT_TRACE_CONFIG, tracer: 'callTracer' },
  );
  const params = { traced, address: toHexData(address) };
  const found = await deps.traces.run('creation', base, { params, signal });
  return found ? { hash: toHexData(found.transactionHash), creator: found.creator } : null;
}
