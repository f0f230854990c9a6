import { createMultisigThresholdPubkey, makeSignDoc, pubkeyToAddress, Secp256k1Wallet } from '@cosmjs/amino';
import { encodePubkey } from '@cosmjs/proto-signing';
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci';
import { CompactBitArray, MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig';
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing';
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { beforeEach, describe, expect, it } from 'vitest';
import { signRaw, TestChain, TOKEN, testAccount } from '../../node/src/execution/testChain.fixture.ts';
import {
  FEE_COLLECTOR_CHAIN_ADDRESS,
  readAccount,
  readAccountWei,
  readChainAddress,
  readSupplyWei,
  readUnits,
} from '../../node/src/ledger/index.ts';
import { fromBech32, toBech32 } from '../../node/src/primitives/index.ts';
import { DEFAULT_FEE, sendMessage, signLedger } from '../support/ledgerClient.ts';

const [rich, friend, third, stranger] = [0, 1, 2, 9].map(testAccount) as [
  ReturnType<typeof testAccount>,
  ReturnType<typeof testAccount>,
  ReturnType<typeof testAccount>,
  ReturnType<typeof testAccount>,
];
// The fee collector is the first account of every genesis.
const RICH_NUMBER = 1;
const send = sendMessage(rich.chainAddress, friend.chainAddress, '1000');
let chain: TestChain;

beforeEach(async () => {
  chain = await TestChain.start();
});

async function run(raw: Uint8Array) {
  const { results } = await chain.block([raw]);
  return results[0]!;
}

/** CosmJS has this too, but not with the bech32 decoder that is installed here. */
function multisigned(
  key: ReturnType<typeof createMultisigThresholdPubkey>,
  bodyBytes: Uint8Array,
  members: readonly number[],
  signatures: Uint8Array[],
): Uint8Array {
  const bits = members.reduce((mask, member) => mask | (0x80 >> member), 0);
  const single = { single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON } };
  const bitarray = CompactBitArray.fromPartial({ extraBitsStored: 3, elems: Uint8Array.of(bits) });
  const authInfoBytes = AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [
        {
          publicKey: encodePubkey(key),
          modeInfo: { multi: { bitarray, modeInfos: members.map(() => single) } },
        },
      ],
      fee: { amount: [...DEFAULT_FEE.amount], gasLimit: BigInt(DEFAULT_FEE.gas) },
    }),
  ).finish();
  const signature = MultiSignature.encode({ signatures }).finish();
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish();
}

describe('a ledger transaction', () => {
  it.each(['direct', 'amino'] as const)(
    'signed by CosmJS in %s mode moves coins and pays its fee',
    async (mode) => {
      const number = Number(readAccount(chain.state, rich.chainAddress)!.accountNumber);
      expect(number).toBe(RICH_NUMBER);
      const before = readUnits(chain.state, friend.chainAddress, 'usei');
      const memo = 'for <you> & me';
      const raw = await signLedger(rich, [send], { accountNumber: number, mode, memo });
      expect(chain.execution.checkTransaction(raw, chain.state, chain.context())).toMatchObject({
        evm: undefined,
        sender: rich.chainAddress,
        nonce: 0n,
        gasLimit: 200_000n,
      });
      const result = await run(raw);
      expect(result).toMatchObject({ code: 0, codespace: '', gasWanted: 200_000n });
      expect(result.gasUsed).toBeGreaterThan(30_000n);
      expect(result.gasUsed).toBeLessThan(150_000n);
      expect(TxMsgData.decode(result.data).msgResponses[0]!.typeUrl).toBe(
        '/cosmos.bank.v1beta1.MsgSendResponse',
      );
      expect(readUnits(chain.state, friend.chainAddress, 'usei')).toBe(before + 1000n);
      expect(readUnits(chain.state, FEE_COLLECTOR_CHAIN_ADDRESS, 'usei')).toBe(2000n);
      expect(readAccount(chain.state, rich.chainAddress)!.sequence).toBe(1n);
      expect(readSupplyWei(chain.state)).toBe(300n * TOKEN);
    },
  );

  it('tells of itself in the events that the SDK has', async () => {
    const result = await run(await signLedger(rich, [send], { accountNumber: RICH_NUMBER }));
    const shown = result.events.map(({ type, attributes }) => [
      type,
      Object.fromEntries(attributes.map(({ key, value }) => [key, value])),
    ]);
    const [from, to] = [toBech32(rich.chainAddress), toBech32(friend.chainAddress)];
    expect(shown).toEqual([
      ['coin_spent', { spender: from, amount: '2000usei' }],
      ['coin_received', { receiver: toBech32(FEE_COLLECTOR_CHAIN_ADDRESS), amount: '2000usei' }],
      ['transfer', { recipient: toBech32(FEE_COLLECTOR_CHAIN_ADDRESS), sender: from, amount: '2000usei' }],
      ['message', { sender: from }],
      ['tx', { fee: '2000usei', fee_payer: from }],
      ['tx', { acc_seq: `${from}/0` }],
      ['tx', { signature: expect.any(String) }],
      ['message', { action: '/cosmos.bank.v1beta1.MsgSend', sender: from, module: 'bank', msg_index: '0' }],
      ['coin_spent', { spender: from, amount: '1000usei', msg_index: '0' }],
      ['coin_received', { receiver: to, amount: '1000usei', msg_index: '0' }],
      ['transfer', { recipient: to, sender: from, amount: '1000usei', msg_index: '0' }],
      ['message', { sender: from, msg_index: '0' }],
    ]);
  });

  it('associates its signer and merges what the EVM address held', async () => {
    await chain.block([
      signRaw(rich, { to: stranger.evmAddress, value: 5n * TOKEN + 7n }),
      signRaw(rich, { nonce: 1n, to: third.evmAddress, value: 1n }),
    ]);
    expect(readChainAddress(chain.state, stranger.evmAddress)).toBeUndefined();
    // The account does not exist yet, so it takes the next number: the collector and three accounts came before.
    const message = sendMessage(stranger.chainAddress, rich.chainAddress, '1');
    const result = await run(await signLedger(stranger, [message], { accountNumber: 4 }));
    expect(result).toMatchObject({ code: 0, log: '' });
    expect(readChainAddress(chain.state, stranger.evmAddress)).toEqual(stranger.chainAddress);
    expect(readAccountWei(chain.state, stranger.chainAddress)).toBe(5n * TOKEN + 7n - 2001n * 10n ** 12n);
  });

  it('of several signers needs as many of them as their threshold', async () => {
    const keys = [rich, friend, third].map(({ publicKey }) => ({
      type: 'tendermint/PubKeySecp256k1',
      value: Buffer.from(publicKey).toString('base64'),
    }));
    const key = createMultisigThresholdPubkey(keys, 2, true);
    const address = pubkeyToAddress(key, 'chain');
    const account = fromBech32(address);
    const funding = sendMessage(rich.chainAddress, account, '5000000');
    // Bank makes the receiver's account.
    expect((await run(await signLedger(rich, [funding], { accountNumber: RICH_NUMBER }))).code).toBe(0);
    const number = Number(readAccount(chain.state, account)!.accountNumber);
    const signed = async (signers: (typeof rich)[]) => {
      const entries = signers.map(async (signer) => {
        const wallet = await Secp256k1Wallet.fromKey(signer.privateKey, 'chain');
        const { fromAddress, toAddress, amount } = sendMessage(account, friend.chainAddress, '10').value;
        const value = { from_address: fromAddress, to_address: toAddress, amount };
        const doc = makeSignDoc(
          [{ type: 'cosmos-sdk/MsgSend', value }],
          DEFAULT_FEE,
          'chain-local-1',
          '',
          number,
          0,
        );
        const [own] = await wallet.getAccounts();
        const { signature } = await wallet.signAmino(own!.address, doc);
        return Buffer.from(signature.signature, 'base64');
      });
      const message = MsgSend.encode(sendMessage(account, friend.chainAddress, '10').value).finish();
      const body = TxBody.encode(
        TxBody.fromPartial({ messages: [{ typeUrl: MsgSend.typeUrl, value: message }] }),
      ).finish();
      return multisigned(
        key,
        body,
        signers.map((signer) => [rich, friend, third].indexOf(signer)),
        await Promise.all(entries),
      );
    };
    expect(await run(await signed([third]))).toMatchObject({ code: 4, codespace: 'sdk' });
    expect(await run(await signed([rich, third]))).toMatchObject({ code: 0, log: '' });
    expect(await run(await signed([rich, friend]))).toMatchObject({ code: 32, codespace: 'sdk' });
  });
});

describe('a ledger transaction is refused', () => {
  type Case = [string, number, Parameters<typeof signLedger>[1], Partial<Parameters<typeof signLedger>[2]>];
  const cases: Case[] = [
    ['for another chain', 4, [send], { chainId: 'other-1' }],
    ['with another account number', 4, [send], { accountNumber: 77 }],
    ['with a sequence that is not the next', 32, [send], { sequence: 3 }],
    ['with a memo of more than 256 characters', 12, [send], { memo: 'm'.repeat(257) }],
    ['with a memo of more than 256 bytes', 12, [send], { memo: 'é'.repeat(129) }],
    ['after its time-out height', 30, [send], { timeoutHeight: 1n }],
    ['with too little gas', 11, [send], { fee: { ...DEFAULT_FEE, gas: '30000' } }],
    [
      'with fees in another denomination',
      13,
      [send],
      { fee: { ...DEFAULT_FEE, amount: [{ denom: 'uatom', amount: '1' }] } },
    ],
    [
      'with more fees than it has',
      5,
      [send],
      { fee: { ...DEFAULT_FEE, amount: [{ denom: 'usei', amount: '1'.repeat(30) }] } },
    ],
    ['with an amount of zero', 10, [sendMessage(rich.chainAddress, friend.chainAddress, '0')], {}],
    [
      'with an amount of more than 256 bits',
      2,
      [sendMessage(rich.chainAddress, friend.chainAddress, `1${'0'.repeat(78)}`)],
      {},
    ],
    ...(['0x10', '010', '1_0', 'one', '1.5', '9'.repeat(500)] as const).map(
      (amount): Case => [
        `with the amount ${amount.slice(0, 8)}`,
        2,
        [sendMessage(rich.chainAddress, friend.chainAddress, amount)],
        {},
      ],
    ),
    ['with a negative amount', 10, [sendMessage(rich.chainAddress, friend.chainAddress, '-1')], {}],
    [
      'with a negative fee',
      13,
      [send],
      { fee: { ...DEFAULT_FEE, amount: [{ denom: 'usei', amount: '-1' }] } },
    ],
    [
      'with a fee of more than 256 bits',
      2,
      [send],
      { fee: { ...DEFAULT_FEE, amount: [{ denom: 'usei', amount: '9'.repeat(80) }] } },
    ],
    ['to a module account', 4, [sendMessage(rich.chainAddress, FEE_COLLECTOR_CHAIN_ADDRESS, '1')], {}],
    [
      'to the cast of an associated EVM address',
      4,
      [sendMessage(rich.chainAddress, friend.evmAddress, '1')],
      {},
    ],
    ['with more than it has', 5, [sendMessage(rich.chainAddress, friend.chainAddress, '9'.repeat(20))], {}],
    [
      'in a denomination that nobody has',
      5,
      [sendMessage(rich.chainAddress, friend.chainAddress, '1', 'unothing')],
      {},
    ],
  ];
  it.each(cases)('%s', async (_what, code, messages, signing) => {
    const raw = await signLedger(rich, messages, { accountNumber: RICH_NUMBER, ...signing });
    expect(await run(raw)).toMatchObject({ code, codespace: 'sdk' });
    expect(readSupplyWei(chain.state)).toBe(300n * TOKEN);
  });

  it('by CheckTx below the minimum gas price, and with a changed byte anywhere', async () => {
    const raw = await signLedger(rich, [send], { accountNumber: RICH_NUMBER });
    for (let at = 0; at < raw.length; at += 7) {
      const changed = Uint8Array.from(raw);
      changed[at]! ^= 1;
      expect(() => chain.execution.checkTransaction(changed, chain.state, chain.context())).toThrow();
    }
  });

  it.each([0, 2])('with %i signatures of its one signer', async (count) => {
    const tx = TxRaw.decode(await signLedger(rich, [send], { accountNumber: RICH_NUMBER }));
    const signatures = Array.from({ length: count }, () => tx.signatures[0]!);
    const result = await run(TxRaw.encode({ ...tx, signatures }).finish());
    expect([result.code, result.log]).toEqual(
      count === 0
        ? [15, 'no signatures supplied']
        : [4, 'wrong number of signers; expected 1, got 2: unauthorized'],
    );
  });

  it('keeping fee and sequence when only a message fails', async () => {
    const messages = [send, sendMessage(rich.chainAddress, friend.chainAddress, '9'.repeat(20))];
    const before = readUnits(chain.state, friend.chainAddress, 'usei');
    const result = await run(await signLedger(rich, messages, { accountNumber: RICH_NUMBER }));
    expect(result).toMatchObject({ code: 5, codespace: 'sdk' });
    expect(result.log).toMatch(/^failed to execute message; message index: 1: spendable balance/);
    expect(readUnits(chain.state, friend.chainAddress, 'usei')).toBe(before);
    expect(readAccount(chain.state, rich.chainAddress)!.sequence).toBe(1n);
    expect(readUnits(chain.state, FEE_COLLECTOR_CHAIN_ADDRESS, 'usei')).toBe(2000n);
  });
});
