import { AuthInfo, SignDoc, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { sha256, signDigest } from '../../primitives/index.ts';
import { signerInfo } from './unsignedTransaction.ts';

/** Who signs, and what the signature is bound to. */
export interface Signing {
  /** 32 bytes. Secret. */
  readonly privateKey: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

/** `TxRaw` bytes with one signature in SIGN_MODE_DIRECT; body and fee stay as they are. */
export function signTransaction(raw: Uint8Array, signing: Signing): Uint8Array {
  const { privateKey, publicKey, chainId, accountNumber, sequence } = signing;
  const { bodyBytes, authInfoBytes: unsigned } = TxRaw.decode(raw);
  const authInfoBytes = AuthInfo.encode({
    ...AuthInfo.decode(unsigned),
    signerInfos: [signerInfo(publicKey, sequence)],
  }).finish();
  const document = SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber }).finish();
  const { signature } = signDigest(sha256(document), privateKey);
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish();
}
