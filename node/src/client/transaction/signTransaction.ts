import { AuthInfo, type SignerInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import {
  aminoSignBytes,
  decodeLedgerTransaction,
  directSignBytes,
  type SignerData,
} from '../../ledger/index.ts';
import { sha256, signDigest } from '../../primitives/index.ts';
import { type SigningMode, signerInfo } from './signerInfos.ts';

/** Who signs, and what the signature is bound to. */
export interface Signing extends SignerData {
  /** 32 bytes. Secret. */
  readonly privateKey: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** `direct` when missing. */
  readonly mode?: SigningMode;
}

/** `TxRaw` bytes with one signature; body and fee stay as they are. Throws LEDGER_REFUSED for what has no amino form. */
export function signTransaction(raw: Uint8Array, signing: Signing): Uint8Array {
  const { privateKey, publicKey, sequence, mode = 'direct' } = signing;
  const unsigned = withSignerInfo(raw, signerInfo(publicKey, sequence, mode));
  const digest = sha256(
    mode === 'direct' ? directSignBytes(TxRaw.decode(unsigned), signing) : aminoBytes(unsigned, signing),
  );
  return withSignature(unsigned, signDigest(digest, privateKey).signature);
}

/** What SIGN_MODE_LEGACY_AMINO_JSON signs of a `TxRaw`, whoever is named as its signer. */
export function aminoBytes(raw: Uint8Array, signer: SignerData): Uint8Array {
  return aminoSignBytes(decodeLedgerTransaction(raw), signer);
}

export function withSignerInfo(raw: Uint8Array, info: SignerInfo): Uint8Array {
  const { bodyBytes, authInfoBytes } = TxRaw.decode(raw);
  const authInfo = AuthInfo.encode({ ...AuthInfo.decode(authInfoBytes), signerInfos: [info] }).finish();
  return TxRaw.encode({ bodyBytes, authInfoBytes: authInfo, signatures: [] }).finish();
}

export function withSignature(raw: Uint8Array, signature: Uint8Array): Uint8Array {
  return TxRaw.encode({ ...TxRaw.decode(raw), signatures: [signature] }).finish();
}
