import { CodedError, isCodedError } from '@chain/platform';
import { decodeRlp, keccak256, type RlpItem } from '../../primitives/index.ts';
import type { AccessListEntry, Authorization, EvmTransaction, EvmTransactionType } from './evmTransaction.ts';
import { RlpFields } from './rlpFields.ts';
import { legacyChainId, parityOf } from './signatureValue.ts';

const STRUCT: Readonly<Record<EvmTransactionType, string>> = {
  0: 'types.LegacyTx',
  1: 'types.AccessListTx',
  2: 'types.DynamicFeeTx',
  4: 'types.SetCodeTx',
};
/** Begins with the words that CheckTx has for it (spec R-18). */
const NO_BLOBS =
  'unsupported transaction type: this chain takes no blob transactions (type 3); send one of type 0, 1, 2 or 4';
const FIELD_COUNT: Readonly<Record<EvmTransactionType, number>> = { 0: 9, 1: 11, 2: 12, 4: 13 };

/**
 * Decodes a signed transaction in Ethereum's encoding. Signatures are not checked here.
 * Throws EVM_INVALID_TRANSACTION with geth's texts: `typed transaction too short`,
 * `transaction type not supported`, `rlp: …`; blobs have a text of this chain's own.
 */
export function decodeTransaction(raw: Uint8Array): EvmTransaction {
  const first = raw[0] ?? 0;
  if (first > 0x7f) return decodeBody(0, raw, raw);
  if (raw.length <= 1) throw invalid('typed transaction too short');
  if (first === 3) throw invalid(NO_BLOBS);
  if (first !== 1 && first !== 2 && first !== 4) throw invalid('transaction type not supported');
  return decodeBody(first, raw.subarray(1), raw);
}

function decodeBody(type: EvmTransactionType, body: Uint8Array, raw: Uint8Array): EvmTransaction {
  const fields = new RlpFields(rlpOf(body), STRUCT[type], FIELD_COUNT[type]);
  const declaredChainId = type === 0 ? undefined : fields.uint256('ChainID');
  const nonce = fields.uint64('Nonce');
  const fees = type <= 1 ? singlePrice(fields) : feeCaps(fields);
  const gasLimit = fields.uint64('Gas');
  const to = type === 4 ? fields.address('To') : fields.optionalAddress('To');
  const value = fields.uint256('Value');
  const data = fields.bytes('Data');
  const accessList = type === 0 ? [] : fields.list('AccessList').map(accessListEntry);
  const authorizationList = type === 4 ? fields.list('AuthList').map(authorization) : [];
  const [v, r, s] = [fields.uint256('V'), fields.uint256('R'), fields.uint256('S')];
  return {
    type,
    chainId: type === 0 ? legacyChainId(v) : declaredChainId,
    nonce,
    gasLimit,
    ...fees,
    to,
    value,
    data,
    accessList,
    authorizationList,
    v,
    yParity: parityOf(type, v),
    r,
    s,
    raw,
    hash: keccak256(raw),
  };
}

function rlpOf(body: Uint8Array): RlpItem {
  try {
    return decodeRlp(body);
  } catch (cause) {
    if (!isCodedError(cause, 'RLP_INVALID')) throw cause;
    throw invalid(cause.message, cause);
  }
}

function singlePrice(fields: RlpFields) {
  const gasPrice = fields.uint256('GasPrice');
  return { gasPrice, maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice };
}

function feeCaps(fields: RlpFields) {
  const maxPriorityFeePerGas = fields.uint256('GasTipCap');
  return { gasPrice: undefined, maxFeePerGas: fields.uint256('GasFeeCap'), maxPriorityFeePerGas };
}

function accessListEntry(item: RlpItem): AccessListEntry {
  const fields = new RlpFields(item, 'types.AccessTuple', 2);
  return { address: fields.address('Address'), storageKeys: fields.list('StorageKeys').map(storageKeyOf) };
}

function storageKeyOf(item: RlpItem): Uint8Array {
  if (!(item instanceof Uint8Array)) throw invalid('rlp: expected input string or byte for common.Hash');
  if (item.length !== 32) {
    throw invalid(`rlp: input string too ${item.length < 32 ? 'short' : 'long'} for common.Hash`);
  }
  return item;
}

function authorization(item: RlpItem): Authorization {
  const fields = new RlpFields(item, 'types.SetCodeAuthorization', 6);
  return {
    chainId: fields.uint256('ChainID'),
    address: fields.address('Address'),
    nonce: fields.uint64('Nonce'),
    yParity: fields.uint8('V'),
    r: fields.uint256('R'),
    s: fields.uint256('S'),
  };
}

function invalid(message: string, cause?: unknown): CodedError<'EVM_INVALID_TRANSACTION'> {
  return new CodedError('EVM_INVALID_TRANSACTION', message, { cause });
}
