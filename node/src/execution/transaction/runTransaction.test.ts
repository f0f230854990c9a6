import { expect, it } from 'vitest';
import { readNonce } from '../../evm/index.ts';
import { signRaw, TestChain, TOKEN, testAccount } from '../testChain.fixture.ts';

const [alice, bob] = [testAccount(0), testAccount(1)];
const to = bob.evmAddress;

it('runs a legacy transaction that was signed for any chain: nodes choose what they take, not what blocks hold', async () => {
  const chain = await TestChain.start();
  const { results } = await chain.block([signRaw(alice, { type: 0, to, chainId: undefined })]);
  expect(results.map((result) => result.code)).toEqual([0]);
  expect(readNonce(chain.state, alice.evmAddress)).toBe(1n);
});

it('leaves the nonce alone when a transaction was signed for another chain', async () => {
  const chain = await TestChain.start();
  const { results, receipts } = await chain.block([
    signRaw(alice, { to, chainId: 1n }),
    signRaw(alice, { to, chainId: 1n, gasLimit: 20_000n }),
  ]);
  expect(results.map((result) => result.code)).toEqual([28, 1]);
  expect(receipts).toEqual([]);
  expect(readNonce(chain.state, alice.evmAddress)).toBe(0n);
});

it('uses up the nonce of a transaction for this chain that cannot be paid for', async () => {
  const chain = await TestChain.start();
  const { results } = await chain.block([signRaw(alice, { to, value: 1000n * TOKEN })]);
  expect(results.map((result) => result.code)).toEqual([5]);
  expect(readNonce(chain.state, alice.evmAddress)).toBe(1n);
});
