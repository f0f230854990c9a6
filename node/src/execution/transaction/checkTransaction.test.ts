import { CodedError } from '@chain/platform';
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { Any } from 'cosmjs-types/google/protobuf/any';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  deployer,
  GWEI,
  signRaw,
  TestChain,
  type TestTransaction,
  TOKEN,
  testAccount,
} from '../testChain.fixture.ts';
import { createTransactionCache } from './transactionCache.ts';

const [rich, friend, stranger] = [testAccount(0), testAccount(1), testAccount(7)];
const to = friend.evmAddress;
let chain: TestChain;

beforeAll(async () => {
  chain = await TestChain.start();
  await chain.block([signRaw(rich, { to, value: 1n })]);
});

function check(raw: Uint8Array) {
  return chain.execution.checkTransaction(raw, chain.state, chain.context());
}

function refusal(run: () => unknown): CodedError {
  try {
    run();
  } catch (error) {
    if (error instanceof CodedError) return error;
  }
  return expect.unreachable('was accepted') as never;
}

/** A ledger transaction with one message and nothing else. */
function envelope(typeUrl: string, value: Uint8Array): Uint8Array {
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [{ typeUrl, value }] })).finish();
  return TxRaw.encode(TxRaw.fromPartial({ bodyBytes })).finish();
}

describe('checkTransaction', () => {
  it('accepts the next nonce and any above it', () => {
    for (const nonce of [1n, 2n, 50n]) {
      const checked = check(signRaw(rich, { to, nonce }));
      expect(checked.evm?.sender).toEqual(rich.evmAddress);
      expect(checked).toMatchObject({ stateNonce: 1n, gasLimit: 200_000n, feeCap: 10n * GWEI, tipCap: GWEI });
    }
  });

  it.each([0, 1, 2] as const)('accepts type %i', (type) => {
    expect(check(signRaw(rich, { type, to, nonce: 1n })).evm?.transaction.type).toBe(type);
  });

  it('takes what is signed for no chain in particular only where the node is set so; a block may hold it', async () => {
    const raw = signRaw(rich, { type: 0, to, chainId: undefined });
    const open = await TestChain.start(undefined, undefined, { allowUnprotected: true });
    expect(open.execution.checkTransaction(raw, open.state, open.context()).evm?.sender).toEqual(
      rich.evmAddress,
    );
    const closed = await TestChain.start();
    const { receipts } = await closed.block([raw]);
    expect(receipts).toMatchObject([{ status: 1 }]);
  });

  const refused: [string, TestTransaction, number, RegExp][] = [
    [
      'a nonce used before',
      { to },
      32,
      /^incorrect account sequence: .*account nonce 1, transaction nonce 0$/,
    ],
    [
      'a fee cap below the base fee',
      { to, maxFeePerGas: 5n, maxPriorityFeePerGas: 0n },
      13,
      /^insufficient fee/,
    ],
    ['more value than there is', { to, value: 101n * TOKEN }, 5, /^insufficient funds.* want /],
    ['the nonce that none can follow', { to, nonce: 2n ** 64n - 1n }, 32, /: nonce has max value/],
    ['another chain id', { to, chainId: 1n }, 28, /^invalid chain-id: have 1, want 713714$/],
    ['a legacy one for another chain', { type: 0, to, chainId: 1n }, 28, /^invalid chain-id/],
    [
      'a legacy one for all chains',
      { type: 0, to, chainId: undefined },
      1,
      /^unknown: only replay-protected/,
    ],
    ['more gas than a block has', { to, gasLimit: 10_000_001n }, 11, /^out of gas/],
    [
      'too little gas',
      { to, gasLimit: 20_999n },
      1,
      /intrinsic gas too low: gas 20999, minimum needed 21000/,
    ],
    [
      'too little gas for its data',
      { to, gasLimit: 22_000n, data: new Uint8Array(50).fill(1) },
      1,
      /floor data gas cost: gas 22000, minimum needed 23000/,
    ],
    ['too long init code', { data: new Uint8Array(49_153), gasLimit: 5_000_000n }, 1, /max initcode size/],
    ['a tip above the cap', { to, maxPriorityFeePerGas: 11n * GWEI }, 18, /higher than max fee per gas/],
    ['no authorizations in type 4', { type: 4, to }, 18, /auth list cannot be empty/],
  ];
  it.each(refused)('refuses %s', (_what, fields, abciCode, message) => {
    const error = refusal(() => check(signRaw(rich, fields)));
    expect(error.message).toMatch(message);
    expect(error.fields.abciCode).toBe(abciCode);
  });

  it('refuses a sender without money, unless its chain account holds some', async () => {
    expect(refusal(() => check(signRaw(stranger, { to }))).message).toMatch(/^insufficient funds/);
    await chain.block([signRaw(rich, { to: stranger.chainAddress, value: TOKEN, nonce: 1n })]);
    expect(check(signRaw(stranger, { to })).stateNonce).toBe(0n);
  });

  it('refuses a blob transaction by its type', () => {
    const data = Any.encode({ typeUrl: '/chain.evm.v1.BlobTx', value: new Uint8Array(0) }).finish();
    const value = Uint8Array.of(0x0a, data.length, ...data);
    const error = refusal(() => check(envelope('/chain.evm.v1.MsgEVMTransaction', value)));
    expect(error.message).toMatch(/^unsupported transaction type/);
    expect(error.fields).toMatchObject({ abciCode: 44 });
  });

  it('refuses ledger messages that it does not run, by name, and bytes that are no transaction', () => {
    const raw = envelope('/cosmos.gov.v1.MsgVote', new Uint8Array(0));
    const unsupported = refusal(() => check(raw));
    expect(unsupported.message).toMatch(/does not run .*MsgVote; .*: unknown request$/);
    expect(unsupported.fields.abciCode).toBe(6);
    expect(refusal(() => check(Uint8Array.of(0xff, 0xff, 0xff))).fields.abciCode).toBe(2);
  });
});

describe('transaction cache', () => {
  it('gives the same decoded transaction again, until newer ones crowd it out', () => {
    const raws = [0n, 1n, 2n].map((nonce) => signRaw(rich, { nonce, data: deployer(new Uint8Array(200)) }));
    const cache = createTransactionCache({
      maxBytes: (raws[0]!.length + 4096) * 2 + 10,
      report: (fault) => expect(fault).toBeUndefined(),
    });
    const first = cache.receive(raws[0]!);
    expect(cache.receive(raws[0]!)).toBe(first);
    const second = cache.receive(raws[1]!);
    cache.receive(raws[0]!);
    cache.receive(raws[2]!);
    expect(cache.receive(raws[0]!)).toBe(first);
    expect(cache.receive(raws[1]!)).not.toBe(second);
  });
});
