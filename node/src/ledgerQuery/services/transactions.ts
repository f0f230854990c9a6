import { isCodedError } from '@chain/platform';
import { TxMsgData, type TxResponse } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci';
import * as service from 'cosmjs-types/cosmos/tx/v1beta1/service';
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { hexToBytes, sha256 } from '../../primitives/index.ts';
import type { TransactionResult } from '../../types/index.ts';
import { pageOfList } from '../page.ts';
import { queryErrors } from '../queryErrors.ts';
import { type QueryMethod, type QueryScope, queryMethod } from '../queryMethod.ts';
import { findBlock, wireBlock, wireBlockId } from './blocks.ts';
import { searchByEvents } from './transactionSearch.ts';
import { hashText, txResponse, wireEvents } from './txResponse.ts';

const SERVICE = '/cosmos.tx.v1beta1.Service';

export const TRANSACTION_METHODS: readonly QueryMethod[] = [
  queryMethod(
    `${SERVICE}/GetTx`,
    [service.GetTxRequest, service.GetTxResponse],
    ({ hash }, { deps: { history } }) => {
      if (hash === '') throw queryErrors.invalid('tx hash cannot be empty');
      if (!/^(0x)?[0-9a-fA-F]{64}$/.test(hash)) {
        throw queryErrors.invalid(`"${hash.slice(0, 100)}" is not a transaction hash: 64 hex digits`);
      }
      const found = history.ledgerTransactionByHash(hexToBytes(hash));
      if (!found) throw queryErrors.notFound(`tx not found: ${hash}`);
      const response = txResponse(found);
      return { tx: decodeTx(found.record.block.txs[found.index]!), txResponse: response };
    },
  ),
  queryMethod(
    `${SERVICE}/GetTxsEvent`,
    [service.GetTxsEventRequest, service.GetTxsEventResponse],
    searchByEvents,
  ),
  queryMethod(
    `${SERVICE}/GetBlockWithTxs`,
    [service.GetBlockWithTxsRequest, service.GetBlockWithTxsResponse],
    ({ height, pagination }, scope) => {
      const { block } = findBlock(scope, Number(height)).record;
      const page = pageOfList(block.txs, pagination);
      return {
        txs: page.items.map(decodeTx),
        blockId: wireBlockId(block),
        block: wireBlock(block),
        pagination: { nextKey: page.pagination.nextKey, total: BigInt(block.txs.length) },
      };
    },
  ),
  queryMethod(
    `${SERVICE}/BroadcastTx`,
    [service.BroadcastTxRequest, service.BroadcastTxResponse],
    async (request, scope) => ({ txResponse: await broadcast(request, scope) }),
  ),
  queryMethod(
    `${SERVICE}/Simulate`,
    [service.SimulateRequest, service.SimulateResponse],
    async ({ tx, txBytes }, { deps }) => {
      const raw = tx ? Tx.encode(tx).finish() : txBytes;
      if (raw.length === 0) throw queryErrors.invalid('invalid empty tx');
      return simulation(await deps.simulate(raw));
    },
  ),
  queryMethod(`${SERVICE}/TxDecode`, [service.TxDecodeRequest, service.TxDecodeResponse], ({ txBytes }) => {
    if (txBytes.length === 0) throw queryErrors.invalid('invalid empty tx bytes');
    return { tx: decodeTx(txBytes) };
  }),
  queryMethod(`${SERVICE}/TxEncode`, [service.TxEncodeRequest, service.TxEncodeResponse], ({ tx }) => {
    if (!tx) throw queryErrors.invalid('invalid empty tx');
    return { txBytes: Tx.encode(tx).finish() };
  }),
];

/** A transaction that fails has no answer but what went wrong, as the SDK tells it. */
function simulation(result: TransactionResult): service.SimulateResponse {
  const { code, gasWanted, gasUsed, data, log, events } = result;
  if (code !== 0) throw queryErrors.simulation(result);
  return service.SimulateResponse.fromPartial({
    gasInfo: { gasWanted, gasUsed },
    result: {
      data,
      log,
      events: wireEvents(events),
      msgResponses: data.length > 0 ? TxMsgData.decode(data).msgResponses : [],
    },
  });
}

/** A raw transaction's parts. TxRaw and Tx have the same bytes. */
function decodeTx(raw: Uint8Array): Tx {
  try {
    return Tx.decode(raw);
  } catch (cause) {
    throw queryErrors.invalid('the transaction is not valid protobuf', cause);
  }
}

async function broadcast(
  { txBytes, mode }: service.BroadcastTxRequest,
  { deps }: QueryScope,
): Promise<TxResponse> {
  if (txBytes.length === 0) throw queryErrors.invalid('invalid empty tx');
  const { BROADCAST_MODE_SYNC: sync, BROADCAST_MODE_ASYNC: async } = service.BroadcastMode;
  if (mode !== sync && mode !== async) {
    throw queryErrors.invalid(
      `unsupported return type ${service.broadcastModeToJSON(mode)}; supported types: sync, async`,
    );
  }
  const refused = await deps.broadcast(txBytes).then(
    () => undefined,
    (error: unknown) => error,
  );
  return refusal(refused, hashText(sha256(txBytes)));
}

/** A refusal by CheckTx is an answer with a code, not an error. */
function refusal(error: unknown, txhash: string): TxResponse {
  const answer = {
    height: 0n,
    txhash,
    codespace: '',
    code: 0,
    data: '',
    rawLog: '',
    logs: [],
    info: '',
    gasWanted: 0n,
    gasUsed: 0n,
    timestamp: '',
    events: [],
  };
  if (error === undefined) return answer;
  if (!isCodedError(error)) throw error;
  const { abciCode, codespace } = error.fields;
  return {
    ...answer,
    code: typeof abciCode === 'number' ? abciCode : poolCode(error.code),
    codespace: typeof codespace === 'string' ? codespace : 'sdk',
    rawLog: error.message,
  };
}

/** The SDK's codes of what the pool refuses: 19 known already, 20 full, 21 too large; else 1. */
function poolCode(code: string): number {
  if (code === 'MEMPOOL_DUPLICATE') return 19;
  if (code === 'MEMPOOL_FULL' || code === 'MEMPOOL_ACCOUNT_FULL') return 20;
  return code === 'MEMPOOL_TX_TOO_LARGE' ? 21 : 1;
}
