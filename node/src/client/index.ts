/**
 * A client of a node's consensus RPC: what the command line asks and sends.
 * Owns: the calls, queries by method name with answers as JSON, building, signing and following ledger transactions.
 * Does not own: keys and passwords, flags, what is printed.
 * Invariants: every failure names the node that was asked; nothing is signed for a chain id that the node denies.
 */
export { type ConsensusClient, openConsensusClient } from './consensusClient.ts';
export {
  type Answer,
  type LedgerClient,
  openLedgerClient,
  type TransactionOutcome,
} from './ledgerClient.ts';
export { formatCoin, parseCoinList, parsePrices } from './transaction/coinTexts.ts';
export { type FeeWish, feeOfGas } from './transaction/fee.ts';
export { type LedgerMessage, messages } from './transaction/messages.ts';
export {
  joinSignatures,
  type MemberSignature,
  memberSignatureJson,
  memberSignatures,
} from './transaction/multisign.ts';
export {
  type MultisigKey,
  multisigSignerInfo,
  type SigningMode,
  signerInfo,
} from './transaction/signerInfos.ts';
export { type Signing, signTransaction } from './transaction/signTransaction.ts';
export { transactionJson, transactionOfJson } from './transaction/transactionFile.ts';
export { type UnsignedTransaction, unsignedBytes } from './transaction/unsignedTransaction.ts';
