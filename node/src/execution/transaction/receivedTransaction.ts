import { CodedError } from '@chain/platform';
import {
  type EvmTransaction,
  impersonatedSender,
  invalidSignature,
  recoverSenderKey,
  senderSignature,
  unwrapEvmTransaction,
} from '../../evm/index.ts';
import { decodeLedgerTransaction, type LedgerTransaction } from '../../ledger/index.ts';
import { chainAddressOf, compressPublicKey, evmAddressOf, sha256 } from '../../primitives/index.ts';
import type { RecoveredSigner, SignatureQuestion } from '../../signatures/index.ts';
import { rejection } from './rejection.ts';

/** Who signed. */
export interface Signer extends RecoveredSigner {
  /** Named and not signed, as development homes allow: the key is unknown and empty, nothing gets associated. */
  readonly impersonated?: true;
}

/** A decoded transaction of the ledger. */
export class ReceivedLedgerTransaction {
  readonly kind = 'ledger';
  /** `TxRaw` bytes. */
  readonly raw: Uint8Array;
  /** SHA-256 of `raw`. */
  readonly ledgerHash: Uint8Array;
  readonly transaction: LedgerTransaction;

  /** Throws LEDGER_REFUSED when the bytes are no ledger transaction, or one that this chain does not run. */
  constructor(raw: Uint8Array, ledgerHash: Uint8Array) {
    this.raw = raw;
    this.ledgerHash = ledgerHash;
    this.transaction = decodeLedgerTransaction(raw);
  }
}

export type Received = ReceivedTransaction | ReceivedLedgerTransaction;

/** Throws a rejection, or LEDGER_REFUSED, for bytes that this chain runs in no case. */
export function receiveTransaction(
  raw: Uint8Array,
  ledgerHash: Uint8Array,
  mayImpersonate = false,
): Received {
  const transaction = decode(raw);
  return transaction
    ? new ReceivedTransaction(raw, ledgerHash, { transaction, mayImpersonate })
    : new ReceivedLedgerTransaction(raw, ledgerHash);
}

interface Envelope {
  readonly transaction: EvmTransaction;
  readonly mayImpersonate: boolean;
}

/** A decoded EVM envelope. Everything here follows from its bytes alone, so it may be kept between uses. */
export class ReceivedTransaction {
  readonly kind = 'evm';
  /** `TxRaw` bytes. */
  readonly raw: Uint8Array;
  /** SHA-256 of `raw`. */
  readonly ledgerHash: Uint8Array;
  readonly transaction: EvmTransaction;
  readonly #mayImpersonate: boolean;
  #signer: Signer | undefined;
  /** It was asked who signed, and the answer is that nobody can have. */
  #isUnsigned = false;

  constructor(raw: Uint8Array, ledgerHash: Uint8Array, { transaction, mayImpersonate }: Envelope) {
    this.#mayImpersonate = mayImpersonate;
    this.raw = raw;
    this.ledgerHash = ledgerHash;
    this.transaction = transaction;
  }

  /** Recovered at the first call, for recovery is the costliest step of a transfer. Throws a rejection. */
  get signer(): Signer {
    if (this.#isUnsigned) throw nobodySigned(invalidSignature(this.transaction));
    this.#signer ??= this.#impersonated() ?? signerOf(this.transaction);
    return this.#signer;
  }

  /** What there is to ask so that `signer` has the answer ready; `undefined` when that costs nothing as it is. */
  get signatureQuestion(): SignatureQuestion | undefined {
    if (this.#signer || this.#isUnsigned || this.#impersonated()) return undefined;
    const asked = senderSignature(this.transaction);
    return asked && { ...asked, answered: (signer?: RecoveredSigner) => this.#know(signer) };
  }

  #know(signer: RecoveredSigner | undefined): void {
    this.#signer ??= signer;
    this.#isUnsigned = signer === undefined;
  }

  #impersonated(): Signer | undefined {
    const sender = this.#mayImpersonate ? impersonatedSender(this.transaction) : undefined;
    return sender && { evmAddress: sender, chainAddress: sender, publicKey: NO_KEY, impersonated: true };
  }
}

const NO_KEY = new Uint8Array(0);

export function ledgerHashOf(raw: Uint8Array): Uint8Array {
  return sha256(raw);
}

/** `undefined` when it is no EVM envelope. */
function decode(raw: Uint8Array): EvmTransaction | undefined {
  try {
    return unwrapEvmTransaction(raw);
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause;
    if (cause.fields.abciCode === 44) throw rejection('TYPE', cause.message, { cause });
    throw rejection('REQUEST', cause.message, { cause });
  }
}

function signerOf(transaction: EvmTransaction): Signer {
  let key: Uint8Array;
  try {
    key = recoverSenderKey(transaction);
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause;
    throw nobodySigned(cause);
  }
  const publicKey = compressPublicKey(key);
  return { evmAddress: evmAddressOf(key), chainAddress: chainAddressOf(publicKey), publicKey };
}

function nobodySigned(cause: CodedError) {
  return rejection('CHAIN_ID', cause.message, { cause });
}
