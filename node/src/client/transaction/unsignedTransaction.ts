import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys';
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing';
import { AuthInfo, Fee, type SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import type { LedgerMessage } from './messages.ts';

/** A transaction that nobody has signed. */
export interface UnsignedTransaction {
  readonly messages: readonly LedgerMessage[];
  readonly memo: string;
  /** 0 is none. */
  readonly timeoutHeight: bigint;
  readonly gas: bigint;
  readonly fee: readonly Coin[];
}

/** Its `TxRaw` with an empty signature, as a simulation takes it; without `signer`, as files have it. */
export function unsignedBytes(
  transaction: UnsignedTransaction,
  signer?: { readonly publicKey: Uint8Array; readonly sequence: bigint },
): Uint8Array {
  const { messages, memo, timeoutHeight, gas, fee } = transaction;
  const body = TxBody.fromPartial({ messages: [...messages], memo, timeoutHeight });
  const authInfo = AuthInfo.fromPartial({
    signerInfos: signer ? [signerInfo(signer.publicKey, signer.sequence)] : [],
    fee: Fee.fromPartial({ amount: [...fee], gasLimit: gas }),
  });
  return TxRaw.encode({
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(authInfo).finish(),
    signatures: signer ? [new Uint8Array(0)] : [],
  }).finish();
}

/** Of a single secp256k1 key that signs directly. */
export function signerInfo(publicKey: Uint8Array, sequence: bigint): SignerInfo {
  return {
    publicKey: { typeUrl: PubKey.typeUrl, value: PubKey.encode({ key: publicKey }).finish() },
    modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
    sequence,
  };
}
