import { expect, it } from 'vitest';
import { createAddress, type EvmFork, readCode, readStorage } from '../evm/index.ts';
import { hexToBytes } from '../primitives/index.ts';
import {
  authorize,
  deployer,
  developmentGenesis,
  signRaw,
  TestChain,
  testAccount,
} from './testChain.fixture.ts';

const [alice, bob] = [testAccount(0), testAccount(1)];
const HEAVY = 2n ** 24n + 1n;

function chainOf(forks: Partial<Record<EvmFork, string>>): Promise<TestChain> {
  const genesis = developmentGenesis();
  return TestChain.start({ ...genesis, evm: { ...genesis.evm, forks } });
}

/** Why each was refused or failed; nothing for what went well. */
async function run(chain: TestChain, ...txs: readonly Uint8Array[]): Promise<(string | undefined)[]> {
  const { results } = await chain.block(txs, { gasLimit: 40_000_000n });
  return results.map(({ code, log }) => (code === 0 ? undefined : log));
}

it('takes a type of transaction from the height on that its fork begins at', async () => {
  const chain = await chainOf({ berlin: '0', london: '3', prague: '4' });
  const to = bob.evmAddress;
  const authorizationList = [authorize(bob, alice.evmAddress, 0n)];
  expect(
    await run(chain, signRaw(alice, { to, type: 2 }), signRaw(alice, { to, type: 1, nonce: 1n })),
  ).toEqual([expect.stringContaining('type 2 comes with london, this is berlin'), undefined]);
  expect(
    await run(
      chain,
      signRaw(alice, { to, type: 2, nonce: 2n }),
      signRaw(alice, { to, type: 4, authorizationList, nonce: 3n }),
    ),
  ).toEqual([undefined, expect.stringContaining('type 4 comes with prague, this is london')]);
  expect(await run(chain, signRaw(alice, { to, type: 4, authorizationList, nonce: 4n }))).toEqual([
    undefined,
  ]);
});

it('bounds the gas of a transaction from Osaka on', async () => {
  const chain = await chainOf({ prague: '0', osaka: '3' });
  const to = bob.evmAddress;
  expect(await run(chain, signRaw(alice, { to, gasLimit: HEAVY }))).toEqual([undefined]);
  expect(await run(chain, signRaw(alice, { to, gasLimit: HEAVY, nonce: 1n }))).toEqual([
    expect.stringContaining('transaction gas limit too high'),
  ]);
});

it('takes init code of any length until Shanghai', async () => {
  const chain = await chainOf({ paris: '0', shanghai: '3' });
  const data = new Uint8Array(50_000);
  const creation = { to: null, data, gasLimit: 1_000_000n };
  expect(await run(chain, signRaw(alice, creation))).toEqual([undefined]);
  expect(await run(chain, signRaw(alice, { ...creation, nonce: 1n }))).toEqual([
    expect.stringContaining('max initcode size exceeded'),
  ]);
});

it('deletes all storage of what destroys itself, also what earlier blocks wrote, until Cancun', async () => {
  const chain = await chainOf({ shanghai: '0', cancun: '5' });
  const contracts = [createAddress(alice.evmAddress, 0n), createAddress(alice.evmAddress, 1n)];
  // With input it destroys itself, without it writes slots 0 and 1.
  const data = deployer(hexToBytes('36600f5760016000556002600155005b33ff'));
  await run(chain, signRaw(alice, { data }), signRaw(alice, { data, nonce: 1n }));
  await run(chain, ...contracts.map((to, i) => signRaw(alice, { to, nonce: BigInt(2 + i) })));
  const slotOf = (contract: Uint8Array, slot: number) =>
    readStorage(chain.state, contract, new Uint8Array(32).fill(slot, 31)).at(-1);
  expect(contracts.map((contract) => [slotOf(contract, 0), slotOf(contract, 1)])).toEqual([
    [1, 2],
    [1, 2],
  ]);
  const destroy = { data: Uint8Array.of(1) };
  expect(await run(chain, signRaw(alice, { ...destroy, to: contracts[0]!, nonce: 4n }))).toEqual([undefined]);
  expect(await run(chain, signRaw(alice, { ...destroy, to: contracts[1]!, nonce: 5n }))).toEqual([undefined]);
  expect(contracts.map((contract) => [slotOf(contract, 0), slotOf(contract, 1)])).toEqual([
    [0, 0],
    [1, 2],
  ]);
  expect(contracts.map((contract) => readCode(chain.state, contract).length > 0)).toEqual([false, true]);
});
