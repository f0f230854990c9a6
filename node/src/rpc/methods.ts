import { errorQueries } from './blocks/errorQueries.ts';
import { getBadBlocks } from './debug/getBadBlocks.ts';
import { getRawBlock } from './debug/getRawBlock.ts';
import { getRawHeader } from './debug/getRawHeader.ts';
import { getRawReceipts } from './debug/getRawReceipts.ts';
import { getRawTransaction } from './debug/getRawTransaction.ts';
import { MODIFIED_ACCOUNTS } from './debug/modifiedAccounts.ts';
import { storageRangeAt } from './debug/storageRangeAt.ts';
import { traceBlockByHash } from './debug/traceBlockByHash.ts';
import { traceBlockByNumber } from './debug/traceBlockByNumber.ts';
import { traceCall } from './debug/traceCall.ts';
import { traceStateAccess } from './debug/traceStateAccess.ts';
import { traceTransaction } from './debug/traceTransaction.ts';
import { DEVELOPMENT_METHODS } from './development/developmentTable.ts';
import { echo } from './echo/echo.ts';
import { erigonGetHeaderByNumber } from './erigon/getHeaderByNumber.ts';
import { accounts } from './eth/accounts.ts';
import { baseFee } from './eth/baseFee.ts';
import { blobBaseFee } from './eth/blobBaseFee.ts';
import { blockNumber } from './eth/blockNumber.ts';
import { call } from './eth/call.ts';
import { capabilities } from './eth/capabilities.ts';
import { chainId } from './eth/chainId.ts';
import { coinbase } from './eth/coinbase.ts';
import { config } from './eth/config.ts';
import { createAccessList } from './eth/createAccessList.ts';
import { estimateGas } from './eth/estimateGas.ts';
import { estimateGasAfterCalls } from './eth/estimateGasAfterCalls.ts';
import { feeHistory } from './eth/feeHistory.ts';
import { fillTransaction } from './eth/fillTransaction.ts';
import { gasPrice } from './eth/gasPrice.ts';
import { getBalance } from './eth/getBalance.ts';
import { getBlockByHash } from './eth/getBlockByHash.ts';
import { getBlockByNumber } from './eth/getBlockByNumber.ts';
import { getBlockReceipts } from './eth/getBlockReceipts.ts';
import { getBlockTransactionCountByHash } from './eth/getBlockTransactionCountByHash.ts';
import { getBlockTransactionCountByNumber } from './eth/getBlockTransactionCountByNumber.ts';
import { getCode } from './eth/getCode.ts';
import { getFilterChanges } from './eth/getFilterChanges.ts';
import { getFilterLogs } from './eth/getFilterLogs.ts';
import { getHeaderByHash } from './eth/getHeaderByHash.ts';
import { getHeaderByNumber } from './eth/getHeaderByNumber.ts';
import { getLogs } from './eth/getLogs.ts';
import { getProof } from './eth/getProof.ts';
import { getRawTransactionByBlockHashAndIndex } from './eth/getRawTransactionByBlockHashAndIndex.ts';
import { getRawTransactionByBlockNumberAndIndex } from './eth/getRawTransactionByBlockNumberAndIndex.ts';
import { getRawTransactionByHash } from './eth/getRawTransactionByHash.ts';
import { getStorageAt } from './eth/getStorageAt.ts';
import { getStorageValues } from './eth/getStorageValues.ts';
import { getTransactionByBlockHashAndIndex } from './eth/getTransactionByBlockHashAndIndex.ts';
import { getTransactionByBlockNumberAndIndex } from './eth/getTransactionByBlockNumberAndIndex.ts';
import { getTransactionByHash } from './eth/getTransactionByHash.ts';
import { getTransactionCount } from './eth/getTransactionCount.ts';
import { getTransactionReceipt } from './eth/getTransactionReceipt.ts';
import { getUncleByBlockHashAndIndex } from './eth/getUncleByBlockHashAndIndex.ts';
import { getUncleByBlockNumberAndIndex } from './eth/getUncleByBlockNumberAndIndex.ts';
import { getUncleCountByBlockHash } from './eth/getUncleCountByBlockHash.ts';
import { getUncleCountByBlockNumber } from './eth/getUncleCountByBlockNumber.ts';
import { maxPriorityFeePerGas } from './eth/maxPriorityFeePerGas.ts';
import { newBlockFilter } from './eth/newBlockFilter.ts';
import { newFilter } from './eth/newFilter.ts';
import { newPendingTransactionFilter } from './eth/newPendingTransactionFilter.ts';
import { protocolVersion } from './eth/protocolVersion.ts';
import { sendRawTransaction } from './eth/sendRawTransaction.ts';
import { sendRawTransactionSync } from './eth/sendRawTransactionSync.ts';
import { simulateV1 } from './eth/simulateV1.ts';
import { subscribe } from './eth/subscribe.ts';
import { syncing } from './eth/syncing.ts';
import { uninstallFilter } from './eth/uninstallFilter.ts';
import { unsubscribe } from './eth/unsubscribe.ts';
import { LEGACY_TABLE } from './legacy/legacyTable.ts';
import { listening } from './net/listening.ts';
import { peerCount } from './net/peerCount.ts';
import { version } from './net/version.ts';
import { OTTERSCAN_METHODS } from './otterscan/otterscanTable.ts';
import { PARITY_CALLS } from './parity/calls.ts';
import { traceFilter } from './parity/filter.ts';
import { PARITY_TRACES } from './parity/parityTraces.ts';
import { PARITY_REPLAYS } from './parity/replays.ts';
import { openRpcDocument } from './reference/openRpcDocument.ts';
import type { RpcDeps } from './rpcDeps.ts';
import { type RpcCall, type RpcMethod, rpcMethod, type Uses } from './rpcMethod.ts';
import { mapOf } from './schema/jsonSchema.ts';
import { content } from './txpool/content.ts';
import { contentFrom } from './txpool/contentFrom.ts';
import { inspect } from './txpool/inspect.ts';
import { status } from './txpool/status.ts';
import { clientVersion } from './web3/clientVersion.ts';
import { sha3 } from './web3/sha3.ts';

const ETH = [
  accounts,
  blockNumber,
  call,
  chainId,
  coinbase,
  createAccessList,
  estimateGas,
  feeHistory,
  gasPrice,
  getBalance,
  getBlockByHash,
  getBlockByNumber,
  getBlockReceipts,
  getBlockTransactionCountByHash,
  getBlockTransactionCountByNumber,
  getCode,
  getFilterChanges,
  getFilterLogs,
  getLogs,
  getProof,
  getRawTransactionByHash,
  getStorageAt,
  getTransactionByBlockHashAndIndex,
  getTransactionByBlockNumberAndIndex,
  getTransactionByHash,
  getTransactionCount,
  getTransactionReceipt,
  maxPriorityFeePerGas,
  newBlockFilter,
  newFilter,
  newPendingTransactionFilter,
  baseFee,
  blobBaseFee,
  capabilities,
  config,
  estimateGasAfterCalls,
  fillTransaction,
  getStorageValues,
  getHeaderByHash,
  getHeaderByNumber,
  getRawTransactionByBlockHashAndIndex,
  getRawTransactionByBlockNumberAndIndex,
  getUncleByBlockHashAndIndex,
  getUncleByBlockNumberAndIndex,
  getUncleCountByBlockHash,
  getUncleCountByBlockNumber,
  protocolVersion,
  sendRawTransaction,
  sendRawTransactionSync,
  simulateV1,
  subscribe,
  syncing,
  uninstallFilter,
  unsubscribe,
];
const OTHERS = [
  ...errorQueries('eth'),
  ...PARITY_TRACES,
  ...PARITY_REPLAYS,
  ...PARITY_CALLS,
  traceFilter,
  ...OTTERSCAN_METHODS,
  erigonGetHeaderByNumber,
  echo,
  listening,
  peerCount,
  version,
  clientVersion,
  sha3,
  content,
  contentFrom,
  inspect,
  status,
  getBadBlocks,
  getRawBlock,
  getRawHeader,
  getRawReceipts,
  getRawTransaction,
  storageRangeAt,
  traceBlockByHash,
  traceBlockByNumber,
  traceCall,
  traceTransaction,
  ...MODIFIED_ACCOUNTS,
  traceStateAccess,
  ...LEGACY_TABLE,
];

const OFFER_USES = ['offers', 'development'] as const;

/** What this caller may call: by the node's settings, and over the transport that it came by. */
function offeredTo(deps: Uses<typeof OFFER_USES>, call: RpcCall): readonly RpcMethod[] {
  const isReachable = ({ transport }: RpcMethod): boolean => transport === undefined || !!call.subscriptions;
  return methodsOf(deps).filter((method) => isReachable(method) && deps.offers(method.name));
}

/** The namespaces on offer and their version. */
const modules = rpcMethod({
  name: 'rpc_modules',
  summary: 'Namespaces on offer to this caller, with their versions',
  params: [],
  result: mapOf('^[a-z0-9]+$', { const: '1.0' }),
  uses: OFFER_USES,
  handle: (deps, _args, call) =>
    Object.fromEntries(offeredTo(deps, call).map(({ name }) => [name.split('_')[0], '1.0'])),
});

const discover = rpcMethod({
  name: 'rpc_discover',
  summary: 'The methods on offer to this caller as an OpenRPC document',
  params: [],
  result: { type: 'object', required: ['openrpc', 'info', 'methods', 'components'] },
  uses: [...OFFER_USES, 'clientVersion'],
  // A client version is name/release/platform.
  handle: (deps, _args, call) =>
    openRpcDocument(offeredTo(deps, call), deps.clientVersion.split('/')[1] ?? deps.clientVersion),
});

/** Every method of every node: with `methodsOf` the registry, and nothing else reaches the wire. */
export const METHODS: readonly RpcMethod[] = [...ETH, ...OTHERS, modules, discover];

/** The methods that a node offers. */
export function methodsOf({ development }: Pick<RpcDeps, 'development'>): readonly RpcMethod[] {
  return development ? [...METHODS, ...DEVELOPMENT_METHODS] : METHODS;
}
