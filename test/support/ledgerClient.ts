import { Secp256k1Wallet, type StdFee } from '@cosmjs/amino';
import {
  DirectSecp256k1Wallet,
  type EncodeObject,
  type GeneratedType,
  Registry,
} from '@cosmjs/proto-signing';
import {
  AminoTypes,
  createDefaultAminoConverters,
  defaultRegistryTypes,
  SigningStargateClient,
} from '@cosmjs/stargate';
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx';
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import type { TestAccount } from '../../node/src/execution/testChain.fixture.ts';
import { MsgAssociate } from '../../node/src/ledger/messages/associateMessage.ts';
import { MsgRegisterPointer } from '../../node/src/ledger/messages/pointerMessages.ts';
import { toBech32 } from '../../node/src/primitives/index.ts';

/** What a transaction is signed with; the account number is that of genesis' order. */
export interface LedgerSigning {
  readonly accountNumber: number;
  readonly sequence?: number;
  readonly chainId?: string;
  readonly mode?: 'direct' | 'amino';
  readonly fee?: StdFee;
  readonly memo?: string;
  readonly timeoutHeight?: bigint;
}

export const DEFAULT_FEE: StdFee = { amount: [{ denom: 'usei', amount: '2000' }], gas: '200000' };

const ofChain = (codec: typeof MsgAssociate | typeof MsgRegisterPointer): [string, GeneratedType] => [
  codec.typeUrl,
  { ...codec, fromPartial: (message: unknown) => message } as never,
];
const registry = new Registry([
  ...defaultRegistryTypes,
  [MsgUnjail.typeUrl, MsgUnjail],
  ...[MsgAssociate, MsgRegisterPointer].map(ofChain),
]);
const aminoTypes = new AminoTypes(createDefaultAminoConverters());

/** A ledger transaction signed by CosmJS, as `TxRaw` bytes. */
export async function signLedger(
  account: Pick<TestAccount, 'privateKey' | 'chainAddress'>,
  messages: readonly EncodeObject[],
  signing: LedgerSigning,
): Promise<Uint8Array> {
  const wallet = signing.mode === 'amino' ? Secp256k1Wallet : DirectSecp256k1Wallet;
  const signer = await wallet.fromKey(account.privateKey, 'chain');
  const client = await SigningStargateClient.offline(signer, { registry, aminoTypes });
  const { accountNumber, sequence = 0, chainId = 'chain-local-1', fee = DEFAULT_FEE, memo = '' } = signing;
  const tx = await client.sign(
    toBech32(account.chainAddress),
    messages,
    fee,
    memo,
    { accountNumber: BigInt(accountNumber), sequence, chainId },
    signing.timeoutHeight,
  );
  return TxRaw.encode(tx).finish();
}

export function sendMessage(from: Uint8Array, to: Uint8Array, amount: string, denom = 'usei'): EncodeObject {
  return {
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    value: { fromAddress: toBech32(from), toAddress: toBech32(to), amount: [{ denom, amount }] },
  };
}
