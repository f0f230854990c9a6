import { bigintToBytes, toChecksumAddress, toHexData } from '../../primitives/index.ts';
import { signedTransaction } from '../transaction/encode.ts';
import type {
  AccessListEntry,
  Authorization,
  EvmTransaction,
  EvmTransactionType,
} from '../transaction/evmTransaction.ts';
import { legacyChainId } from '../transaction/signatureValue.ts';
import { ABCI_UNSUPPORTED_TYPE, envelopeError } from './envelopeError.ts';
import { exactHex, FieldReader } from './fieldReader.ts';
import { ProtobufWriter } from './protobuf.ts';

const TYPE_URLS: Readonly<Record<EvmTransactionType, string>> = {
  0: '/chain.evm.v1.LegacyTx',
  1: '/chain.evm.v1.AccessListTx',
  2: '/chain.evm.v1.DynamicFeeTx',
  4: '/chain.evm.v1.SetCodeTx',
};

/** Field numbers of the four messages (spec L-2). 0: the message does not have the field. */
interface Layout {
  readonly chainId: number;
  readonly nonce: number;
  readonly tip: number;
  /** gas_price of types 0 and 1, gas_fee_cap of the others. */
  readonly price: number;
  /** gas_limit; to, value and data follow it. */
  readonly gasLimit: number;
  readonly accesses: number;
  readonly authorizations: number;
  /** v; r and s follow it. */
  readonly v: number;
}

const LAYOUTS: Readonly<Record<EvmTransactionType, Layout>> = {
  0: { chainId: 0, nonce: 1, tip: 0, price: 2, gasLimit: 3, accesses: 0, authorizations: 0, v: 7 },
  1: { chainId: 1, nonce: 2, tip: 0, price: 3, gasLimit: 4, accesses: 8, authorizations: 0, v: 9 },
  2: { chainId: 1, nonce: 2, tip: 3, price: 4, gasLimit: 5, accesses: 9, authorizations: 0, v: 10 },
  4: { chainId: 1, nonce: 2, tip: 3, price: 4, gasLimit: 5, accesses: 9, authorizations: 10, v: 11 },
};

/** The transaction as the `data` of a MsgEVMTransaction. */
export function encodeTransactionData(transaction: EvmTransaction): { typeUrl: string; value: Uint8Array } {
  const layout = LAYOUTS[transaction.type];
  const writer = new ProtobufWriter();
  if (layout.chainId) writer.string(layout.chainId, (transaction.chainId ?? 0n).toString());
  writer.varint(layout.nonce, transaction.nonce);
  if (layout.tip) writer.string(layout.tip, transaction.maxPriorityFeePerGas.toString());
  writer
    .string(layout.price, transaction.maxFeePerGas.toString())
    .varint(layout.gasLimit, transaction.gasLimit);
  if (transaction.to) writer.string(layout.gasLimit + 1, toChecksumAddress(transaction.to));
  writer
    .string(layout.gasLimit + 2, transaction.value.toString())
    .bytes(layout.gasLimit + 3, transaction.data);
  for (const entry of transaction.accessList) writer.message(layout.accesses, encodeAccess(entry));
  for (const entry of transaction.authorizationList) {
    writer.message(layout.authorizations, encodeAuthorization(entry));
  }
  [transaction.v, transaction.r, transaction.s].forEach((part, i) => {
    writer.bytes(layout.v + i, bigintToBytes(part));
  });
  return { typeUrl: TYPE_URLS[transaction.type], value: writer.finish() };
}

/** Throws EVM_INVALID_ENVELOPE. */
export function decodeTransactionData(typeUrl: string, value: Uint8Array): EvmTransaction {
  const type = ([0, 1, 2, 4] as const).find((known) => TYPE_URLS[known] === typeUrl);
  if (type === undefined) throw envelopeError('unsupported transaction type', ABCI_UNSUPPORTED_TYPE);
  const layout = LAYOUTS[type];
  const reader = new FieldReader(value, typeUrl);
  const v = reader.signature(layout.v, 'v');
  const price = reader.amount(layout.price, 'gas price');
  const to = reader.text(layout.gasLimit + 1);
  const unsigned = {
    type,
    chainId: layout.chainId ? reader.amount(layout.chainId, 'chain id') : legacyChainId(v),
    nonce: reader.uint64(layout.nonce),
    gasLimit: reader.uint64(layout.gasLimit),
    gasPrice: layout.tip ? undefined : price,
    maxFeePerGas: price,
    maxPriorityFeePerGas: layout.tip ? reader.amount(layout.tip, 'gas tip cap') : price,
    to: to === '' ? null : exactHex(to, 20, 'to address'),
    value: reader.amount(layout.gasLimit + 2, 'value'),
    data: reader.bytes(layout.gasLimit + 3),
    accessList: layout.accesses ? reader.list(layout.accesses).map(decodeAccess) : [],
    authorizationList: layout.authorizations
      ? reader.list(layout.authorizations).map(decodeAuthorization)
      : [],
  };
  const signature = { v, r: reader.signature(layout.v + 1, 'r'), s: reader.signature(layout.v + 2, 's') };
  return signedTransaction(unsigned, signature);
}

function encodeAccess({ address, storageKeys }: AccessListEntry): Uint8Array {
  const writer = new ProtobufWriter().string(1, toChecksumAddress(address));
  for (const key of storageKeys) writer.message(2, Buffer.from(toHexData(key)));
  return writer.finish();
}

function decodeAccess(bytes: Uint8Array): AccessListEntry {
  const reader = new FieldReader(bytes, 'AccessTuple');
  return {
    address: reader.address(1, 'access list address'),
    storageKeys: reader.list(2).map((key) => exactHex(Buffer.from(key).toString(), 32, 'access list key')),
  };
}

function encodeAuthorization(authorization: Authorization): Uint8Array {
  const { chainId, address, nonce, yParity, r, s } = authorization;
  const writer = new ProtobufWriter()
    .string(1, chainId.toString())
    .string(2, toChecksumAddress(address))
    .varint(3, nonce);
  [yParity, r, s].forEach((part, i) => {
    writer.bytes(4 + i, bigintToBytes(part));
  });
  return writer.finish();
}

function decodeAuthorization(bytes: Uint8Array): Authorization {
  const reader = new FieldReader(bytes, 'SetCodeAuthorization');
  return {
    chainId: reader.amount(1, 'authorization chain id'),
    address: reader.address(2, 'authorization address'),
    nonce: reader.uint64(3),
    yParity: reader.signature(4, 'authorization v', 1),
    r: reader.signature(5, 'authorization r'),
    s: reader.signature(6, 'authorization s'),
  };
}
