import type { EvmTransaction, UnsignedEvmTransaction } from '../../evm/index.ts';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord, Receipt } from '../../types/index.ts';

/** Where a transaction was mined. */
export interface Mined {
  readonly record: BlockRecord;
  readonly receipt: Receipt;
}

/** The transaction object of spec R-9, keys in its order, and the block's time as geth gives it. */
export function formatTransaction(
  transaction: EvmTransaction,
  { record, receipt }: Mined,
): Record<string, unknown> {
  return {
    blockHash: toHexData(record.block.id.hash),
    blockNumber: toHexQuantity(receipt.blockNumber),
    blockTimestamp: toHexQuantity(record.block.header.time.seconds),
    from: toHexData(receipt.from),
    gas: toHexQuantity(transaction.gasLimit),
    gasPrice: toHexQuantity(effectivePrice(transaction, record.baseFee)),
    ...feeFields(transaction),
    hash: toHexData(receipt.transactionHash),
    ...payloadFields(transaction, toHexQuantity(receipt.transactionIndex)),
    ...signatureFields(transaction),
  };
}

/** A transaction that waits in the mempool: its place is null, its price the fee cap. */
export function formatPendingTransaction(
  transaction: EvmTransaction,
  sender: Uint8Array,
): Record<string, unknown> {
  return {
    blockHash: null,
    blockNumber: null,
    blockTimestamp: null,
    from: toHexData(sender),
    gas: toHexQuantity(transaction.gasLimit),
    gasPrice: toHexQuantity(transaction.maxFeePerGas),
    ...feeFields(transaction),
    hash: toHexData(transaction.hash),
    ...payloadFields(transaction, null),
    ...signatureFields(transaction),
  };
}

/** A transaction as it is before it is signed: it has no hash, and no place. */
export function formatUnsignedTransaction(
  transaction: UnsignedEvmTransaction,
  sender: Uint8Array,
): Record<string, unknown> {
  const { data, nonce, to, value } = transaction;
  return {
    from: toHexData(sender),
    gas: toHexQuantity(transaction.gasLimit),
    gasPrice: toHexQuantity(transaction.maxFeePerGas),
    ...feeFields(transaction),
    input: toHexData(data),
    nonce: toHexQuantity(nonce),
    to: to && toHexData(to),
    value: toHexQuantity(value),
    ...kindFields(transaction),
  };
}

/** What a transaction pays for a unit of gas, in wei: min(tip cap + base fee, fee cap). */
function effectivePrice(
  { gasPrice, maxFeePerGas, maxPriorityFeePerGas }: EvmTransaction,
  baseFee: bigint,
): bigint {
  if (gasPrice !== undefined) return gasPrice;
  const wanted = baseFee + maxPriorityFeePerGas;
  return wanted < maxFeePerGas ? wanted : maxFeePerGas;
}

function feeFields({
  type,
  maxFeePerGas,
  maxPriorityFeePerGas,
}: UnsignedEvmTransaction): Record<string, string> {
  if (type < 2) return {};
  return {
    maxFeePerGas: toHexQuantity(maxFeePerGas),
    maxPriorityFeePerGas: toHexQuantity(maxPriorityFeePerGas),
  };
}

function payloadFields(
  { data, nonce, to, value }: EvmTransaction,
  transactionIndex: string | null,
): Record<string, string | null> {
  return {
    input: toHexData(data),
    nonce: toHexQuantity(nonce),
    to: to && toHexData(to),
    transactionIndex,
    value: toHexQuantity(value),
  };
}

function signatureFields(transaction: EvmTransaction): Record<string, unknown> {
  const { type, v, r, s, yParity } = transaction;
  return {
    ...kindFields(transaction),
    v: toHexQuantity(v),
    r: toHexQuantity(r),
    s: toHexQuantity(s),
    ...(type > 0 && { yParity: toHexQuantity(yParity) }),
  };
}

/** The type, and what only some types have. */
function kindFields({
  type,
  chainId,
  accessList,
  authorizationList,
}: UnsignedEvmTransaction): Record<string, unknown> {
  return {
    type: toHexQuantity(type),
    ...(type > 0 && { accessList: formatAccessList(accessList) }),
    ...(chainId === undefined ? {} : { chainId: toHexQuantity(chainId) }),
    ...(type === 4 && { authorizationList: authorizationList.map(formatAuthorization) }),
  };
}

export function formatAccessList(list: EvmTransaction['accessList']): Record<string, unknown>[] {
  return list.map(({ address, storageKeys }) => ({
    address: toHexData(address),
    storageKeys: storageKeys.map(toHexData),
  }));
}

function formatAuthorization(
  authorization: EvmTransaction['authorizationList'][number],
): Record<string, string> {
  const { chainId, address, nonce, yParity, r, s } = authorization;
  return {
    chainId: toHexQuantity(chainId),
    address: toHexData(address),
    nonce: toHexQuantity(nonce),
    yParity: toHexQuantity(yParity),
    r: toHexQuantity(r),
    s: toHexQuantity(s),
  };
}
