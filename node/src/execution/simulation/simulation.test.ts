import { CodedError } from '@chain/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAddress } from '../../evm/index.ts';
import { concatBytes, hexToBytes, padLeft, utf8 } from '../../primitives/index.ts';
import {
  authorize,
  COUNTER,
  deployer,
  GWEI,
  reverter,
  signRaw,
  TestChain,
  TOKEN,
  testAccount,
} from '../testChain.fixture.ts';
import type { CallOptions, CallRequest } from './callRequest.ts';
import { revertMessage } from './revertReason.ts';

const [alice, bob, nobody] = [testAccount(0), testAccount(1), testAccount(8)];
const contract = (nonce: bigint): Uint8Array => createAddress(alice.evmAddress, nonce);
const word = (value: number): Uint8Array => padLeft(Uint8Array.of(value), 32);
const errorString = (text: string): Uint8Array =>
  concatBytes(hexToBytes('08c379a0'), word(32), word(text.length), utf8(text.padEnd(32, '\0')));
const panic = (code: number): Uint8Array => concatBytes(hexToBytes('4e487b71'), word(code));

const counter = contract(0n);
const reverting = contract(1n);
const silent = contract(2n);
const invalid = contract(3n);
/** Returns BASEFEE, then GASPRICE. */
const prices = contract(4n);
/** Calls the counter with all gas and reverts when that fails. */
const caller = contract(5n);
let chain: TestChain;

beforeAll(async () => {
  chain = await TestChain.start();
  const callCounter = `6000600060006000600073${Buffer.from(counter).toString('hex')}5af1602857600080fd5b00`;
  const codes = [
    COUNTER,
    reverter(errorString('no luck')),
    reverter(new Uint8Array(0)),
    Uint8Array.of(0xfe),
    hexToBytes('486000523a60205260406000f3'),
    hexToBytes(callCounter),
  ];
  const outcome = await chain.block(
    codes.map((code, nonce) => signRaw(alice, { data: deployer(code), nonce: BigInt(nonce) })),
  );
  expect(outcome.receipts.every((receipt) => receipt.status === 1)).toBe(true);
});

const call = (request: CallRequest, options?: CallOptions) =>
  chain.execution.call(request, chain.state, chain.context(), options);
const estimate = (request: CallRequest, options?: CallOptions) =>
  chain.execution.estimateGas(request, chain.state, chain.context(), options);

async function refusal(run: Promise<unknown>): Promise<CodedError> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof CodedError ? error : (expect.unreachable('was accepted') as never);
}

describe('call', () => {
  it('returns what the contract returns and changes nothing', async () => {
    for (let i = 0; i < 2; i++) {
      const outcome = await call({ to: counter }, { wantsTouched: true });
      expect(outcome).toMatchObject({ status: 'success', error: '' });
      expect(outcome.returnData).toEqual(word(1));
      expect(outcome.logs).toHaveLength(1);
      expect(outcome.touched?.slots.map(({ slot }) => [...slot])).toEqual([[...word(0)]]);
    }
  });

  it('tells what code burns as it runs, exactly', async () => {
    let burnt = 0;
    const onBurn = (gas: number): void => {
      burnt += gas;
    };
    const loop = hexToBytes('6127105b600190038060035700');
    const { gasUsed } = await call({ data: loop }, { onBurn });
    const fixed = await call({ data: hexToBytes('00') });
    // Both have one word of init code and one zero byte.
    const ofBytes = 16n * BigInt(loop.filter((byte) => byte !== 0).length);
    expect(BigInt(burnt)).toBe(gasUsed - fixed.gasUsed - ofBytes);
    expect(burnt).toBeGreaterThan(250_000);
  });

  it('gives the reason of a revert, its data, and tells it from other failures', async () => {
    expect(await call({ to: reverting })).toMatchObject({
      status: 'reverted',
      error: 'execution reverted: no luck',
      returnData: errorString('no luck'),
    });
    expect(await call({ to: silent })).toMatchObject({ status: 'reverted', error: 'execution reverted' });
    const failed = await call({ to: invalid });
    expect(failed).toMatchObject({ status: 'failed', returnData: new Uint8Array(0) });
    expect(failed.error).toMatch(/^invalid opcode/);
    expect(await call({ to: counter, gas: 30_000n })).toMatchObject({
      status: 'failed',
      error: 'out of gas',
    });
  });

  it('shows no base fee to a call that pays nothing, and the prices to one that does', async () => {
    expect((await call({ to: prices })).returnData).toEqual(new Uint8Array(64));
    const paid = await call({ from: alice.evmAddress, to: prices, gas: 100_000n, gasPrice: 3n * GWEI });
    expect(BigInt(`0x${Buffer.from(paid.returnData.subarray(0, 32)).toString('hex')}`)).toBe(
      chain.context().baseFee,
    );
    expect(BigInt(`0x${Buffer.from(paid.returnData.subarray(32)).toString('hex')}`)).toBe(3n * GWEI);
  });

  it.each([
    [
      { to: counter, gas: 20_000n },
      /^err: intrinsic gas too low: have 20000, want 21000 \(supplied gas 20000\)$/,
    ],
    [
      { from: alice.evmAddress, to: counter, maxFeePerGas: 5n },
      /^err: max fee per gas less than block base fee: address 0x.*, maxFeePerGas: 5, baseFee: \d+ \(supplied gas 10000000\)$/,
    ],
    [
      { from: nobody.evmAddress, to: counter, value: 7n },
      /^err: insufficient funds for gas \* price \+ value: address 0x.* have 0 want 7 /,
    ],
  ])('refuses what could not start: %#', async (request, message) => {
    const error = await refusal(call(request));
    expect(error.code).toBe('EXECUTION_CALL_REFUSED');
    expect(error.message).toMatch(message);
  });

  it('runs on overridden balances, code and storage', async () => {
    const stateOverrides = [
      { address: nobody.evmAddress, balance: TOKEN, code: COUNTER, nonce: 4n },
      { address: counter, state: [{ slot: word(0), value: word(41) }] },
    ];
    expect((await call({ to: nobody.evmAddress }, { stateOverrides })).returnData).toEqual(word(1));
    expect((await call({ to: counter }, { stateOverrides })).returnData).toEqual(word(42));
    expect(
      (await call({ from: nobody.evmAddress, to: bob.evmAddress, value: TOKEN }, { stateOverrides })).status,
    ).toBe('success');
    const both = [{ address: counter, state: [], stateDiff: [] }];
    await expect(call({ to: counter }, { stateOverrides: both })).rejects.toThrow(
      /both 'state' and 'stateDiff'/,
    );
  });

  it('hides the other slots when the whole storage is overridden, and keeps them in a difference', async () => {
    // Returns slot 0 plus slot 1.
    const sum = hexToBytes('6000546001540160005260206000f3');
    const code = { address: nobody.evmAddress, code: sum };
    const started = { stateOverrides: [{ ...code, stateDiff: [{ slot: word(1), value: word(5) }] }] };
    expect((await call({ to: nobody.evmAddress }, started)).returnData).toEqual(word(5));
    await chain.block([signRaw(bob, { to: counter })]);
    const slots = [{ slot: word(1), value: word(5) }];
    const on = (override: object) => ({ stateOverrides: [{ address: counter, code: sum, ...override }] });
    expect((await call({ to: counter }, on({ stateDiff: slots }))).returnData).toEqual(word(6));
    expect((await call({ to: counter }, on({ state: slots }))).returnData).toEqual(word(5));
  });

  it('goes on from the last nonce there is, but creates nothing with it', async () => {
    const last = { stateOverrides: [{ address: nobody.evmAddress, nonce: 2n ** 64n - 1n }] };
    expect((await call({ from: nobody.evmAddress, to: counter }, last)).status).toBe('success');
    const creation = call({ from: nobody.evmAddress, data: Uint8Array.of(0) }, last);
    await expect(creation).rejects.toThrow('nonce uint64 overflow');
  });

  it('refuses init code that is too long', async () => {
    const error = /^err: max initcode size exceeded: code size 49153 limit 49152 \(supplied gas \d+\)$/;
    await expect(call({ data: new Uint8Array(49_153) })).rejects.toThrow(error);
  });

  it('runs in an overridden block', async () => {
    const number = { address: nobody.evmAddress, code: hexToBytes('4360005260206000f3') };
    const options = { stateOverrides: [number], blockOverrides: { number: 77n } };
    expect((await call({ to: nobody.evmAddress }, options)).returnData).toEqual(word(77));
  });

  it('moves a precompile of this chain, and only such', async () => {
    const address = hexToBytes('0000000000000000000000000000000000001004');
    const data = concatBytes(hexToBytes('0c3c20ed'), padLeft(alice.evmAddress, 32));
    const moved = { stateOverrides: [{ address, movePrecompileTo: nobody.evmAddress }] };
    const there = await call({ to: nobody.evmAddress, data }, moved);
    expect(there.returnData).toEqual((await call({ to: address, data })).returnData);
    expect((await call({ to: address, data }, moved)).returnData).toHaveLength(0);
    const wrong = { stateOverrides: [{ address: counter, movePrecompileTo: nobody.evmAddress }] };
    await expect(call({ to: counter }, wrong)).rejects.toThrow(/is not a precompile/);
  });

  it('moves a standard precompile, and runs code in its place', async () => {
    const identity = hexToBytes('0000000000000000000000000000000000000004');
    const data = word(42);
    const code = hexToBytes('600760005260206000fd');
    const stateOverrides = [{ address: identity, code, movePrecompileTo: nobody.evmAddress }];
    expect((await call({ to: nobody.evmAddress, data }, { stateOverrides })).returnData).toEqual(data);
    expect(await call({ to: identity, data }, { stateOverrides })).toMatchObject({
      status: 'reverted',
      error: 'execution reverted',
      returnData: word(7),
    });
    // Overridden and not moved, it is an account like any other.
    const gone = { stateOverrides: [{ address: identity, balance: 1n }] };
    expect((await call({ to: identity, data }, gone)).returnData).toHaveLength(0);
    expect((await call({ to: identity, data })).returnData).toEqual(data);
  });

  it('runs prior calls on the same state first', async () => {
    const before = BigInt((await call({ to: counter })).returnData[31]!);
    const after = await call({ to: counter }, { priorCalls: [{ to: counter }, { to: counter }] });
    expect(BigInt(after.returnData[31]!)).toBe(before + 2n);
  });

  it('applies authorizations', async () => {
    const authorizationList = [authorize(nobody, counter, 0n)];
    expect((await call({ to: nobody.evmAddress, authorizationList })).returnData).toEqual(word(1));
  });
});

describe('estimateGas', () => {
  it('is exactly 21000 for a transfer', async () => {
    expect(await estimate({ from: alice.evmAddress, to: nobody.evmAddress, value: 1n })).toBe(21_000n);
  });

  it.each([
    ['a call', () => ({ from: bob.evmAddress, to: counter })],
    ['a nested call, which must have more gas than it uses', () => ({ from: bob.evmAddress, to: caller })],
    ['a deployment', () => ({ from: bob.evmAddress, data: deployer(COUNTER) })],
  ])('is enough for %s, and hardly more than needed', async (_what, request) => {
    const gas = await estimate(request());
    expect((await call({ ...request(), gas })).status).toBe('success');
    expect((await call({ ...request(), gas: (gas * 97n) / 100n }).catch(() => undefined))?.status).not.toBe(
      'success',
    );
  });

  it('throws the revert with its data', async () => {
    const error = await refusal(estimate({ to: reverting }));
    expect(error).toMatchObject({ code: 'EXECUTION_REVERTED', message: 'execution reverted: no luck' });
    expect(error.fields.data).toBe(`0x${Buffer.from(errorString('no luck')).toString('hex')}`);
    expect((await refusal(estimate({ to: silent }))).fields.data).toBe('0x');
  });

  it('says when no allowance is enough', async () => {
    await expect(estimate({ to: counter, gas: 25_000n })).rejects.toThrow(
      /^gas required exceeds allowance \(25000\)$/,
    );
    const price = { from: nobody.evmAddress, to: counter, gasPrice: 10n * GWEI };
    await expect(estimate(price)).rejects.toThrow(/^gas required exceeds allowance \(0\)$/);
    await expect(estimate({ ...price, value: 1n })).rejects.toThrow(/^insufficient funds for transfer$/);
    await expect(estimate({ to: invalid })).rejects.toThrow(/^invalid opcode/);
  });

  it('stops when its time is over', async () => {
    await expect(estimate({ to: counter }, { timeoutMs: -1 })).rejects.toThrow(/^execution aborted/);
  });
});

describe('revertMessage', () => {
  it.each([
    [errorString('why'), 'execution reverted: why'],
    [panic(0x01), 'execution reverted: assert(false)'],
    [panic(0x11), 'execution reverted: arithmetic underflow or overflow'],
    [panic(0x99), 'execution reverted: unknown panic code: 0x99'],
    [new Uint8Array(0), 'execution reverted'],
    [hexToBytes('08c379a0ff'), 'execution reverted'],
    [concatBytes(hexToBytes('08c379a0'), new Uint8Array(32).fill(255)), 'execution reverted'],
  ])('reads %#', (data, message) => {
    expect(revertMessage(data)).toBe(message);
  });
});
