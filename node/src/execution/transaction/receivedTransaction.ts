import { CodedError } from '@chain/platform';
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import {
  type EvmTransaction,
  impersonatedSender,
  recoverSenderKey,
  unwrapEvmTransaction,
} from '../../evm/index.ts';
import { chainAddressOf, compressPublicKey, evmAddressOf, sha256 } from '../../primitives/index.ts';
import { rejection } from './rejection.ts';

/** Who signed, under all names. Addresses 20 bytes, the key compressed (33 bytes). */
export interface Signer {
  readonly evmAddress: Uint8Array;
  readonly chainAddress: Uint8Array;
  readonly publicKey: Uint8Array;
  /** Named and not signed, as development homes allow: the key is unknown and empty, nothing gets associated. */
  readonly impersonated?: true;
}

/** A decoded EVM envelope. Everything here follows from its bytes alone, so it may be kept between uses. */
export class ReceivedTransaction {
  /** `TxRaw` bytes. */
  readonly raw: Uint8Array;
  /** SHA-256 of `raw`. */
  readonly ledgerHash: Uint8Array;
  readonly transaction: EvmTransaction;
  readonly #mayImpersonate: boolean;
  #signer: Signer | undefined;

  /** Throws a rejection when the bytes are no ledger transaction, or one that this chain does not run. */
  constructor(raw: Uint8Array, ledgerHash: Uint8Array, mayImpersonate = false) {
    this.#mayImpersonate = mayImpersonate;
    this.raw = raw;
    this.ledgerHash = ledgerHash;
    this.transaction = decode(raw);
  }

  /** Recovered at the first call, for recovery is the costliest step of a transfer. Throws a rejection. */
  get signer(): Signer {
    this.#signer ??= this.#impersonated() ?? signerOf(this.transaction);
    return this.#signer;
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

function decode(raw: Uint8Array): EvmTransaction {
  let transaction: EvmTransaction | undefined;
  try {
    transaction = unwrapEvmTransaction(raw);
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause;
    if (cause.fields.abciCode === 44) throw rejection('TYPE', cause.message, { cause });
    throw rejection('REQUEST', cause.message, { cause });
  }
  if (transaction) return transaction;
  const messages = messageTypes(raw);
  throw rejection(
    'UNSUPPORTED_MESSAGE',
    `this chain does not run ${messages.join(', ') || 'a transaction without messages'}; send one /chain.evm.v1.MsgEVMTransaction`,
    { fields: { messages: messages.join(',') } },
  );
}

function messageTypes(raw: Uint8Array): string[] {
  try {
    const body = TxBody.decode(TxRaw.decode(raw).bodyBytes);
    return body.messages.map((message) => message.typeUrl);
  } catch (cause) {
    throw rejection('UNREADABLE', `${raw.length} bytes are not a TxRaw`, { cause });
  }
}

function signerOf(transaction: EvmTransaction): Signer {
  let key: Uint8Array;
  try {
    key = recoverSenderKey(transaction);
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause;
    throw rejection('CHAIN_ID', cause.message, { cause });
  }
  const publicKey = compressPublicKey(key);
  return { evmAddress: evmAddressOf(key), chainAddress: chainAddressOf(publicKey), publicKey };
}
