/**
 * Keys and who may use them: validator key, node key, last-sign state, encrypted account keys, HD accounts.
 * Owns: their files (CometBFT's JSON forms, geth's V3 keystore) and ethers. Does not own: what is signed.
 * Invariants: files are 0600 and replaced whole; no secret is logged or put in an error; a signature leaves
 * only after its height, round and step are durable.
 */
export { DEVELOPMENT_MNEMONIC, deriveAccounts, type HdAccount, newMnemonic } from './hdAccounts.ts';
export { type Keystore, type KeystoreEntry, openKeystore } from './keystore.ts';
export { type MultisigEntry, multisigEntry } from './multisigEntry.ts';
export { createNodeKey, readNodeKey } from './nodeKey.ts';
export { type TypedData, typedDataHash } from './typedData.ts';
export { createValidatorKey, readValidatorKey, type ValidatorKey } from './validatorKey.ts';
export { openValidatorSigner, type SignPosition, type ValidatorSigner } from './validatorSigner.ts';
export {
  createSignState,
  raiseSignState,
  readSignState,
  rewindSignState,
  type SignState,
} from './validatorState.ts';
