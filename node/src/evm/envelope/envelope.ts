import { equalBytes } from '../../primitives/index.ts';
import type { EvmTransaction } from '../transaction/evmTransaction.ts';
import { envelopeError } from './envelopeError.ts';
import { FieldReader } from './fieldReader.ts';
import { ProtobufWriter, readFields } from './protobuf.ts';
import { decodeTransactionData, encodeTransactionData } from './transactionData.ts';

/** Type URL of the ledger message that carries an EVM transaction. */
export const EVM_MESSAGE_TYPE_URL = '/chain.evm.v1.MsgEVMTransaction';

/** The ledger transaction (`TxRaw` bytes) that carries an EVM transaction (spec L-2). */
export function wrapEvmTransaction(transaction: EvmTransaction): Uint8Array {
  return wrapData(encodeTransactionData(transaction));
}

function wrapData(data: AnyMessage): Uint8Array {
  return txRaw(bodyOf(evmMessage(data)), NO_FEE);
}

function evmMessage(data: AnyMessage): AnyMessage {
  const value = new ProtobufWriter().message(1, anyOf(data)).finish();
  return { typeUrl: EVM_MESSAGE_TYPE_URL, value };
}

/** The ledger transaction with one message, without fee and signatures. */
export function wrapMessage(message: AnyMessage): Uint8Array {
  return txRaw(bodyOf(message), NO_FEE);
}

/** The signature of an account that associates its two addresses. Numbers are big-endian without leading zeros. */
export interface Association {
  readonly v: Uint8Array;
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  /** What was signed, by the Keccak of its bytes. */
  readonly customMessage: string;
}

/** The ledger transaction that carries an association (spec L-2). */
export function wrapAssociation({ v, r, s, customMessage }: Association): Uint8Array {
  const value = new ProtobufWriter().bytes(1, v).bytes(2, r).bytes(3, s).string(4, customMessage).finish();
  return wrapData({ typeUrl: '/chain.evm.v1.AssociateTx', value });
}

/**
 * The EVM transaction inside a ledger transaction; `undefined` when it holds none (or is no ledger transaction).
 * Throws EVM_INVALID_ENVELOPE, with `fields.abciCode`, when it holds one and breaks a rule of spec L-2: other
 * messages, memo, timeout, extension options, signers, fees, signatures, or an encoding that is not canonical.
 */
export function unwrapEvmTransaction(raw: Uint8Array): EvmTransaction | undefined {
  const message = firstMessage(raw);
  if (!message || message.typeUrl !== EVM_MESSAGE_TYPE_URL) return undefined;
  const tx = new FieldReader(raw, 'TxRaw');
  checkBody(new FieldReader(tx.bytes(1), 'TxBody'));
  if (tx.list(3).length > 0) throw envelopeError('signatures must be empty for EVM txs');
  const authInfoBytes = readAuthInfo(tx.bytes(2));
  const outer = new FieldReader(message.value, EVM_MESSAGE_TYPE_URL);
  if (outer.bytes(2).length > 0) throw envelopeError('derived must be empty for EVM txs');
  const data = readAny(outer.bytes(1));
  const transaction = decodeTransactionData(data.typeUrl, data.value);
  const canonical = bodyOf(evmMessage(encodeTransactionData(transaction)));
  if (!equalBytes(txRaw(canonical, authInfoBytes), raw)) {
    throw envelopeError('the encoding of an EVM tx must be canonical');
  }
  return transaction;
}

/** A `google.protobuf.Any`. */
export interface AnyMessage {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

/** The first message of a ledger transaction; `undefined` when it has none, or is none. */
export function firstMessage(raw: Uint8Array): AnyMessage | undefined {
  const body = readFields(raw)?.find(({ number }) => number === 1)?.value;
  const message = body instanceof Uint8Array && readFields(body)?.find(({ number }) => number === 1)?.value;
  return message instanceof Uint8Array && readFields(message) ? readAny(message) : undefined;
}

function checkBody(body: FieldReader): void {
  if (body.list(1).length !== 1) throw envelopeError('an EVM tx must have exactly one message');
  if (body.bytes(2).length > 0) throw envelopeError('memo must be empty for EVM txs');
  if (body.uint64(3) !== 0n) throw envelopeError('timeout_height must be zero for EVM txs');
  if (body.list(1023).length > 0 || body.list(2047).length > 0) {
    throw envelopeError('extension options must be empty for EVM txs');
  }
}

/** Checks it and gives its canonical form. */
function readAuthInfo(bytes: Uint8Array): Uint8Array {
  const info = new FieldReader(bytes, 'AuthInfo');
  if (info.list(1).length > 0) throw envelopeError('signer_infos must be empty for EVM txs');
  const fee = new FieldReader(info.bytes(2), 'Fee');
  if (fee.list(1).length > 0) throw envelopeError('fee amount must be empty for EVM txs');
  if (fee.text(3) !== '' || fee.text(4) !== '') {
    throw envelopeError('fee payer and granter must be empty for EVM txs');
  }
  return authInfo({ hasFee: info.list(2).length > 0, gasLimit: fee.uint64(2), gasEstimate: info.uint64(5) });
}

function authInfo(parts: { hasFee: boolean; gasLimit: bigint; gasEstimate: bigint }): Uint8Array {
  const writer = new ProtobufWriter();
  if (parts.hasFee) writer.message(2, new ProtobufWriter().varint(2, parts.gasLimit).finish());
  return writer.varint(5, parts.gasEstimate).finish();
}

const bodyOf = (message: AnyMessage): Uint8Array => new ProtobufWriter().message(1, anyOf(message)).finish();

const txRaw = (body: Uint8Array, auth: Uint8Array): Uint8Array =>
  new ProtobufWriter().bytes(1, body).bytes(2, auth).finish();

const NO_FEE = authInfo({ hasFee: true, gasLimit: 0n, gasEstimate: 0n });

const anyOf = ({ typeUrl, value }: AnyMessage): Uint8Array =>
  new ProtobufWriter().string(1, typeUrl).bytes(2, value).finish();

function readAny(bytes: Uint8Array): AnyMessage {
  const any = new FieldReader(bytes, 'Any');
  return { typeUrl: any.text(1), value: any.bytes(2) };
}
