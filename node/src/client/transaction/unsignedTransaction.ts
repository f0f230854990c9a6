import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
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
export function unsignedBytes(transaction: UnsignedTransaction, signer?: SignerInfo): Uint8Array {
  const { messages, memo, timeoutHeight, gas, fee } = transaction;
  const body = TxBody.fromPartial({ messages: [...messages], memo, timeoutHeight });
  const authInfo = AuthInfo.fromPartial({
    signerInfos: signer ? [signer] : [],
    fee: Fee.fromPartial({ amount: [...fee], gasLimit: gas }),
  });
  return TxRaw.encode({
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(authInfo).finish(),
    signatures: signer ? [new Uint8Array(0)] : [],
  }).finish();
}
