import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys';
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { Signature, Transaction } from 'ethers';
import { decodeTransaction, wrapEvmTransaction } from '../../../node/src/evm/index.ts';
import { toBech32 } from '../../../node/src/primitives/index.ts';

const signature = Signature.from({ r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, v: 27 });
const to = `0x${'ab'.repeat(20)}`;
const chainId = 713_714;
const raw = (transaction: object): Uint8Array =>
  Buffer.from(
    Transaction.from({ to, chainId, gasLimit: 21_000, nonce: 1, signature, ...transaction }).serialized.slice(
      2,
    ),
    'hex',
  );

const fees = raw({
  type: 2,
  maxFeePerGas: 9n,
  maxPriorityFeePerGas: 1n,
  data: '0x01020304',
  accessList: [{ address: to, storageKeys: [`0x${'01'.repeat(32)}`] }],
});

/** One of each shape, as clients send them. */
export const EVM_TRANSACTION = {
  legacy: raw({ type: 0, gasPrice: 5n }),
  fees,
  setCode: raw({
    type: 4,
    maxFeePerGas: 9n,
    maxPriorityFeePerGas: 1n,
    authorizationList: [{ address: to, nonce: 1n, chainId: BigInt(chainId), signature }],
  }),
  envelope: wrapEvmTransaction(decodeTransaction(fees)),
};

const [from, receiver] = [7, 9].map((byte) => toBech32(Buffer.alloc(20, byte)));
const coins = [{ denom: 'usei', amount: '1' }];
const send = MsgSend.fromPartial({ fromAddress: from!, toAddress: receiver!, amount: coins });

/** An ordinary bank send of one signer. */
export const LEDGER_TRANSACTION = TxRaw.encode({
  bodyBytes: TxBody.encode(
    TxBody.fromPartial({
      messages: [{ typeUrl: MsgSend.typeUrl, value: MsgSend.encode(send).finish() }],
      memo: 'hi',
    }),
  ).finish(),
  authInfoBytes: AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [
        {
          publicKey: {
            typeUrl: PubKey.typeUrl,
            value: PubKey.encode({ key: Buffer.alloc(33, 2) }).finish(),
          },
          modeInfo: { single: { mode: 1 } },
          sequence: 3n,
        },
      ],
      fee: { amount: coins, gasLimit: 200_000n, payer: '', granter: '' },
    }),
  ).finish(),
  signatures: [Buffer.alloc(64, 5)],
}).finish();

/** Of genesis.json, with a row of each kind. */
export const GENESIS_APP_STATE = {
  evm: {
    chain_id: '713714',
    params: { minimum_fee_per_gas: '1' },
    forks: {},
    accounts: [{ address: to, nonce: '1', code: '0x6000', storage: { '0x01': '0x02' } }],
  },
  bank: { balances: [{ address: from, coins }], denom_metadata: [] },
  auth: { associations: [] },
};
