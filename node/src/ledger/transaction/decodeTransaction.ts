import { AuthInfo, type Fee, type SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { bytesToHex, equalBytes } from '../../primitives/index.ts';
import { ledgerError } from '../ledgerError.ts';
import { accountAt } from '../messages/addresses.ts';
import type { BoundMessage } from '../messages/messageKind.ts';
import { MESSAGES } from '../messages/messageTable.ts';
import { decodeMessage } from '../protoMessage.ts';
import { requireKnownFields } from './knownFields.ts';
import { AUTH_INFO, TX_BODY, TX_RAW } from './messageShapes.ts';
import type { AccountKey } from './publicKey.ts';

/** What CheckTx found out about a transaction, so that its block need not find it out again. */
export interface TransactionMemory {
  /** Keys that the signers named. */
  keys?: readonly (AccountKey | undefined)[];
  /** Which signatures are good, by place, account, chain and key. */
  readonly verified: Set<string>;
  /** Which are not, as far as that was found out ahead. */
  readonly refuted: Set<string>;
}

/** A decoded ledger transaction. All of it follows from its bytes. */
export interface LedgerTransaction {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
  readonly body: TxBody;
  /** The body has fields that nobody here knows and anybody may pass over; the amino form does not sign them. */
  readonly hasUnknownFields: boolean;
  readonly fee: Fee;
  readonly signerInfos: readonly SignerInfo[];
  readonly signatures: readonly Uint8Array[];
  readonly messages: readonly BoundMessage[];
  /** Who must sign, in order, each once; the fee payer first among those that sign no message. */
  readonly signers: readonly Uint8Array[];
  /** Chain account that pays the fee. */
  readonly feePayer: Uint8Array;
  readonly memory: TransactionMemory;
}

/**
 * Decodes a `TxRaw` that is no EVM envelope. Throws LEDGER_REFUSED: tx parse error for bytes that are no canonical
 * TxRaw or hold unknown fields, unknown request for messages that this chain does not run.
 */
export function decodeLedgerTransaction(raw: Uint8Array): LedgerTransaction {
  requireKnownFields(raw, TX_RAW, 'refused');
  const tx = decodeMessage(TxRaw, raw, TX_RAW.name);
  // ADR-027: the bytes that are hashed have one form only.
  if (!equalBytes(TxRaw.encode(tx).finish(), raw)) throw ledgerError('decode', 'not a canonical TxRaw');
  const hasUnknownFields = requireKnownFields(tx.bodyBytes, TX_BODY, 'nonCriticalAllowed');
  requireKnownFields(tx.authInfoBytes, AUTH_INFO, 'refused');
  const body = decodeMessage(TxBody, tx.bodyBytes, TX_BODY.name);
  const authInfo = decodeMessage(AuthInfo, tx.authInfoBytes, AUTH_INFO.name);
  const messages = body.messages.map(({ typeUrl, value }) => {
    const reader = MESSAGES.get(typeUrl);
    if (!reader) throw unknownMessage(typeUrl);
    return reader.read(value);
  });
  if (messages.length === 0) throw ledgerError('request', 'must contain at least one message');
  const fee = authInfo.fee;
  if (!fee) throw ledgerError('fee', 'a transaction needs a fee with a gas limit');
  const signers = uniqueSigners(messages);
  const feePayer = fee.payer === '' ? signers[0]! : accountAt(fee.payer, 'fee payer');
  if (!signers.some((signer) => equalBytes(signer, feePayer))) signers.push(feePayer);
  const { signerInfos } = authInfo;
  const memory = { verified: new Set<string>(), refuted: new Set<string>() };
  return { ...tx, body, hasUnknownFields, fee, signerInfos, messages, signers, feePayer, memory };
}

function unknownMessage(typeUrl: string) {
  const known = [...MESSAGES.keys()].join(', ');
  return ledgerError(
    'unknownRequest',
    `this chain does not run ${typeUrl.slice(0, 100) || 'a message without a type'}; it runs ${known}, and one /chain.evm.v1.MsgEVMTransaction alone`,
  );
}

function uniqueSigners(messages: readonly BoundMessage[]): Uint8Array[] {
  const seen = new Map<string, Uint8Array>();
  for (const { signers } of messages) for (const signer of signers) seen.set(bytesToHex(signer), signer);
  return [...seen.values()];
}
