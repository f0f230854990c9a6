import { bigintToBytes, concatBytes, encodeRlp, keccak256, type RlpItem } from '../../primitives/index.ts';
import type { EvmTransaction, UnsignedEvmTransaction } from './evmTransaction.ts';
import { parityOf } from './signatureValue.ts';

/** A signature as a transaction carries it. */
export interface TransactionSignature {
  readonly v: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

const NO_BYTES = new Uint8Array(0);

/** Adds the signature: raw bytes, hash, parity. `v` is as signed (see EvmTransaction). */
export function signedTransaction(
  unsigned: UnsignedEvmTransaction,
  { v, r, s }: TransactionSignature,
): EvmTransaction {
  const raw = encode(unsigned, [v, r, s].map(bigintToBytes));
  return { ...unsigned, v, yParity: parityOf(unsigned.type, v), r, s, raw, hash: keccak256(raw) };
}

/** The 32 bytes that the sender signs. */
export function signingHash(transaction: UnsignedEvmTransaction): Uint8Array {
  const isProtected = transaction.type === 0 && transaction.chainId !== undefined;
  const tail = isProtected ? [bigintToBytes(transaction.chainId!), NO_BYTES, NO_BYTES] : [];
  return keccak256(encode(transaction, tail));
}

function encode(transaction: UnsignedEvmTransaction, tail: readonly Uint8Array[]): Uint8Array {
  const payload = encodeRlp([...fieldsOf(transaction), ...tail]);
  return transaction.type === 0 ? payload : concatBytes(Uint8Array.of(transaction.type), payload);
}

function fieldsOf(transaction: UnsignedEvmTransaction): RlpItem[] {
  const { type, to, value, data, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const chainId = bigintToBytes(transaction.chainId ?? 0n);
  const nonce = bigintToBytes(transaction.nonce);
  const gasLimit = bigintToBytes(transaction.gasLimit);
  const target = [to ?? NO_BYTES, bigintToBytes(value), data];
  if (type === 0) return [nonce, bigintToBytes(maxFeePerGas), gasLimit, ...target];
  const accessList: RlpItem = transaction.accessList.map((entry) => [entry.address, entry.storageKeys]);
  if (type === 1) return [chainId, nonce, bigintToBytes(maxFeePerGas), gasLimit, ...target, accessList];
  const fees = [bigintToBytes(maxPriorityFeePerGas), bigintToBytes(maxFeePerGas)];
  const fields: RlpItem[] = [chainId, nonce, ...fees, gasLimit, ...target, accessList];
  if (type === 4) fields.push(transaction.authorizationList.map(authorizationFields));
  return fields;
}

const authorizationFields = (authorization: EvmTransaction['authorizationList'][number]): RlpItem => [
  bigintToBytes(authorization.chainId),
  authorization.address,
  ...[authorization.nonce, authorization.yParity, authorization.r, authorization.s].map(bigintToBytes),
];
