import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys';
import {
  MsgWithdrawDelegatorReward,
  MsgWithdrawValidatorCommission,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx';
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx';
import {
  MsgBeginRedelegate,
  MsgCreateValidator,
  MsgDelegate,
  MsgEditValidator,
  MsgUndelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx';
import { MsgAssociate, MsgRegisterPointer } from '../../ledger/index.ts';

/** A message as a transaction holds it. */
export interface LedgerMessage {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

interface Codec<T> {
  readonly typeUrl: string;
  encode(message: T): { finish(): Uint8Array };
}

const packed = <T>(codec: Codec<T>, message: T): LedgerMessage => ({
  typeUrl: codec.typeUrl,
  value: codec.encode(message).finish(),
});

/** What a validator says of itself. */
export type ValidatorDescription = MsgCreateValidator['description'];

/** Addresses as bech32; rates as the wire has them, scaled by 10^18. */
export const messages = {
  send: (fromAddress: string, toAddress: string, amount: Coin[]) =>
    packed(MsgSend, { fromAddress, toAddress, amount }),
  delegate: (delegatorAddress: string, validatorAddress: string, amount: Coin) =>
    packed(MsgDelegate, { delegatorAddress, validatorAddress, amount }),
  undelegate: (delegatorAddress: string, validatorAddress: string, amount: Coin) =>
    packed(MsgUndelegate, { delegatorAddress, validatorAddress, amount }),
  redelegate: (
    delegatorAddress: string,
    { from, to }: { readonly from: string; readonly to: string },
    amount: Coin,
  ) =>
    packed(MsgBeginRedelegate, {
      delegatorAddress,
      validatorSrcAddress: from,
      validatorDstAddress: to,
      amount,
    }),
  createValidator: (
    {
      consensusKey,
      ...rest
    }: Omit<MsgCreateValidator, 'pubkey' | 'delegatorAddress'> & {
      /** Ed25519, 32 bytes. */
      readonly consensusKey: Uint8Array;
    },
    delegatorAddress: string,
  ) =>
    packed(MsgCreateValidator, {
      ...rest,
      delegatorAddress,
      pubkey: { typeUrl: PubKey.typeUrl, value: PubKey.encode({ key: consensusKey }).finish() },
    }),
  editValidator: (message: MsgEditValidator) => packed(MsgEditValidator, message),
  withdrawRewards: (delegatorAddress: string, validatorAddress: string) =>
    packed(MsgWithdrawDelegatorReward, { delegatorAddress, validatorAddress }),
  withdrawCommission: (validatorAddress: string) =>
    packed(MsgWithdrawValidatorCommission, { validatorAddress }),
  unjail: (validatorAddr: string) => packed(MsgUnjail, { validatorAddr }),
  associate: (sender: string) => packed(MsgAssociate, { sender, customMessage: '' }),
  registerPointer: (sender: string, denom: string) => packed(MsgRegisterPointer, { sender, denom }),
} as const;
