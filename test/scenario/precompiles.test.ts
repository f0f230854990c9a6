import { readFileSync } from 'node:fs';
import { Interface } from 'ethers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAddress } from '../../node/src/evm/index.ts';
import { TOKEN, testAccount } from '../../node/src/execution/testChain.fixture.ts';
import {
  pointerAddressOf,
  readAccountWei,
  readBalanceWei,
  readDelegation,
  readSupplyWei,
  readUnits,
  readWithdrawAddress,
} from '../../node/src/ledger/index.ts';
import { hexToBytes, toBech32, toHexData } from '../../node/src/primitives/index.ts';
import type { Receipt } from '../../node/src/types/index.ts';
import { compileContracts } from '../support/contracts.ts';
import { GOLD } from '../support/goldGenesis.ts';
import {
  accounts,
  CalledContract,
  LedgerChain,
  STAKED,
  UNBONDING_SECONDS,
  VALIDATOR,
} from '../support/ledgerChain.ts';

const UNIT = 10n ** 12n;
const [operator, friend] = accounts;
const abiOf = (name: string) => new Interface(readFileSync(`docs/abi/${name}.json`, 'utf8'));
const abis = { bank: abiOf('bank'), staking: abiOf('staking'), distribution: abiOf('distribution') };
const at = (last: string) => hexToBytes(`0x${last.padStart(40, '0')}`);
const [BANK, STAKING, DISTRIBUTION] = [at('1001'), at('1005'), at('1007')];
const eventNames = (abi: Interface, { logs }: Receipt) =>
  logs.map(
    ({ topics, data }) => abi.parseLog({ topics: topics.map(toHexData), data: toHexData(data) })?.name,
  );
const stranger = testAccount(40);

let ledger: LedgerChain;
let caller: CalledContract;
let supply: bigint;
beforeAll(() => void compileContracts(), 120_000);
beforeEach(async () => {
  ledger = await LedgerChain.start();
  caller = await CalledContract.deploy(ledger, 'LedgerCaller', 10n * TOKEN);
  supply = readSupplyWei(ledger.chain.state);
});
const state = () => ledger.chain.state;

describe('the staking precompile', () => {
  it('lets a contract delegate, earn, withdraw and unbond as itself', async () => {
    const staked = await caller.send('stake', [VALIDATOR], { value: 10_000_000n * UNIT });
    expect(staked).toMatchObject({ status: 1 });
    expect(eventNames(abis.staking, staked)).toEqual(['Delegate']);
    expect(await caller.ask('staked', VALIDATOR)).toBe(10_000_000n);
    expect(readDelegation(state(), caller.address, operator.chainAddress)).toBeDefined();
    expect(readBalanceWei(state(), STAKING)).toBe(0n);
    expect(await caller.ask('stakes', toHexData(caller.address))).toEqual([1n, 10_000_000n]);
    expect(await caller.ask('validators')).toEqual([1n, (STAKED + 10_000_000n).toString()]);
    await ledger.block();
    const earned = (await caller.ask('earned')) as bigint;
    expect(earned).toBeGreaterThan(10n ** 18n);
    const before = readUnits(state(), caller.address, 'usei');
    const withdrawn = await caller.send('withdraw', [VALIDATOR]);
    expect(eventNames(abis.distribution, withdrawn)).toEqual(['DelegationRewardsWithdrawn']);
    // The block before paid its fees, too.
    expect(readUnits(state(), caller.address, 'usei')).toBeGreaterThanOrEqual(before + earned / 10n ** 18n);
    expect(await caller.send('unstake', [VALIDATOR, 4_000_000n])).toMatchObject({ status: 1 });
    expect(await caller.ask('staked', VALIDATOR)).toBe(6_000_000n);
    const unbonding = readUnits(state(), caller.address, 'usei');
    for (let i = 0n; i <= UNBONDING_SECONDS; i++) await ledger.block();
    expect(readUnits(state(), caller.address, 'usei')).toBe(unbonding + 4_000_000n);
    expect(readSupplyWei(state())).toBe(supply);
  });

  it('undoes what a reverted frame staked, with its events', async () => {
    const before = readAccountWei(state(), caller.address);
    const outcome = await caller.send('stakeInVain', [VALIDATOR, 5_000_000n * UNIT]);
    expect(outcome.status).toBe(1);
    expect(outcome.logs).toHaveLength(1);
    expect(caller.abi.decodeEventLog('Outcome', outcome.logs[0]!.data).toArray()).toEqual([false, before]);
    expect(readAccountWei(state(), caller.address)).toBe(before);
    expect(readDelegation(state(), caller.address, operator.chainAddress)).toBeUndefined();
    const { results } = await ledger.block(
      ledger.sign(operator, { to: caller.address, data: caller.data('stakeAndRevert', VALIDATOR, UNIT) }),
      ledger.sign(operator, { to: caller.address, data: caller.data('stakeOwn', VALIDATOR, UNIT) }),
    );
    const kinds = results.map(({ events }) => events.map(({ type }) => type));
    expect(kinds[0]).not.toContain('delegate');
    expect(kinds[1]).toContain('delegate');
    expect(readSupplyWei(state())).toBe(supply);
  });

  it('says in the receipt why it refused, and nothing in the data', async () => {
    const refusedBy = async (data: Uint8Array, value = 0n) => {
      const receipt = await ledger.run(operator, { to: STAKING, data, value });
      expect(receipt).toMatchObject({ status: 0, gasUsed: 2_000_000n });
      expect(receipt.returnData).toHaveLength(0);
      return receipt.vmError;
    };
    const encode = (name: string, ...args: unknown[]) =>
      hexToBytes(abis.staking.encodeFunctionData(name, args));
    expect(await refusedBy(encode('delegate', VALIDATOR), UNIT + 7n)).toBe(
      'execution reverted|selected precompile function does not allow payment with non-zero wei remainder: received 7',
    );
    expect(await refusedBy(encode('delegate', VALIDATOR))).toContain('set `value` field to non-zero');
    expect(await refusedBy(encode('undelegate', VALIDATOR, 1n << 200n))).toContain('more than is staked');
    expect(await refusedBy(encode('undelegate', 'chainvaloper1x', 1n))).toContain(
      'is not a chainvaloper1… address',
    );
    expect(await refusedBy(encode('undelegate', VALIDATOR, 1n), 1n)).toContain('non-payable');
    expect(await refusedBy(hexToBytes('deadbeef'))).toContain('staking has no such method');
    expect(await refusedBy(encode('delegate', VALIDATOR).subarray(0, 40))).toContain('no ABI encoding');
    expect(readSupplyWei(state())).toBe(supply);
  });

  it('is for calls alone when it writes, and refuses DELEGATECALL when it reads; the bank reads for all', async () => {
    const attempt = async (way: number, to: Uint8Array, data: string) => {
      const receipt = await caller.send('attempt', [way, toHexData(to), data]);
      return caller.abi.decodeEventLog('Outcome', receipt.logs.at(-1)!.data)[0];
    };
    const writes = [
      [STAKING, abis.staking.encodeFunctionData('undelegate', [VALIDATOR, 1n])],
      [
        DISTRIBUTION,
        abis.distribution.encodeFunctionData('setWithdrawAddress', [toHexData(friend.evmAddress)]),
      ],
      [DISTRIBUTION, abis.distribution.encodeFunctionData('withdrawDelegationRewards', [VALIDATOR])],
    ] as const;
    await caller.send('stake', [VALIDATOR], { value: 10n * UNIT });
    for (const [to, data] of writes) {
      expect([await attempt(1, to, data), await attempt(2, to, data), await attempt(0, to, data)]).toEqual([
        false,
        false,
        true,
      ]);
    }
    const views = [
      [STAKING, abis.staking.encodeFunctionData('pool')],
      [DISTRIBUTION, abis.distribution.encodeFunctionData('communityPool')],
    ] as const;
    for (const [to, data] of views) {
      expect([await attempt(0, to, data), await attempt(1, to, data), await attempt(2, to, data)]).toEqual([
        true,
        true,
        false,
      ]);
    }
    const balance = abis.bank.encodeFunctionData('balance', [toHexData(operator.evmAddress), 'usei']);
    for (const way of [0, 1, 2]) expect(await attempt(way, BANK, balance)).toBe(true);
  });

  it('refuses a contract under construction, which is not associated yet', async () => {
    const { bytecode, abi } = compileContracts().StakesAtBirth;
    const args = new Interface(JSON.stringify(abi)).encodeDeploy([VALIDATOR]);
    const data = Buffer.concat([hexToBytes(bytecode), hexToBytes(args)]);
    const created = await ledger.run(operator, { to: null, data, value: 3n * UNIT });
    expect(created.status).toBe(0);
    const address = createAddress(operator.evmAddress, 1n);
    expect(readDelegation(state(), address, operator.chainAddress)).toBeUndefined();
    expect(readSupplyWei(state())).toBe(supply);
  });
});

describe('the distribution precompile', () => {
  it('pays rewards to whom the contract chose, of several validators at once', async () => {
    await caller.send('stake', [VALIDATOR], { value: 10_000_000n * UNIT });
    const chosen = await caller.send('payRewardsTo', [toHexData(friend.evmAddress)]);
    expect(eventNames(abis.distribution, chosen)).toEqual(['WithdrawAddressSet']);
    expect(toHexData(readWithdrawAddress(state(), caller.address))).toBe(toHexData(friend.chainAddress));
    const before = readUnits(state(), friend.chainAddress, 'usei');
    await ledger.block();
    const paid = await caller.send('withdrawAll', [[VALIDATOR]]);
    expect(eventNames(abis.distribution, paid)).toEqual(['MultipleDelegationRewardsWithdrawn']);
    expect(readUnits(state(), friend.chainAddress, 'usei')).toBeGreaterThan(before);
    expect(readSupplyWei(state())).toBe(supply);
  });

  it('pays the commission to the validator', async () => {
    await ledger.block();
    const data = hexToBytes(abis.distribution.encodeFunctionData('withdrawValidatorCommission'));
    const paid = await ledger.run(operator, { to: DISTRIBUTION, data });
    expect(paid.status).toBe(1);
    expect(eventNames(abis.distribution, paid)).toEqual(['ValidatorCommissionWithdrawn']);
    expect(await ledger.run(friend, { to: DISTRIBUTION, data })).toMatchObject({ status: 0 });
  });
});

describe('the bank precompile', () => {
  it('lists what an account holds, by denomination', async () => {
    const coins = (await caller.ask('coinsOf', toHexData(friend.evmAddress))) as [bigint, string][];
    expect(coins.map(([amount, denom]) => [denom, amount])).toEqual([
      ['ugold', 1_000_000n],
      ['usei', readUnits(state(), friend.chainAddress, 'usei')],
      ['usilver', 1_000_000n],
    ]);
  });

  it('sends a value to a bech32 address, down to the wei', async () => {
    const to = toBech32(stranger.chainAddress);
    expect(await caller.send('pay', [to], { value: 5n * UNIT + 3n })).toMatchObject({ status: 1 });
    expect(readAccountWei(state(), stranger.chainAddress)).toBe(5n * UNIT + 3n);
    expect(readBalanceWei(state(), BANK)).toBe(0n);
    expect(await caller.send('pay', [to])).toMatchObject({ status: 0 });
    expect(readSupplyWei(state())).toBe(supply);
  });

  it('moves a denomination for its pointer alone', async () => {
    const theft = () => caller.send('steal', [toHexData(friend.evmAddress), GOLD, 1n]);
    expect((await theft()).vmError).toMatch(/^execution reverted\|only a pointer/);
    await caller.send('register', [GOLD]);
    expect((await theft()).vmError).toMatch(
      /^execution reverted\|only pointer 0x.* can send ugold but got 0x/,
    );
    expect(readUnits(state(), friend.chainAddress, GOLD)).toBe(1_000_000n);
  });

  it('refuses value to a view, and keeps it with the sender', async () => {
    const data = hexToBytes(abis.bank.encodeFunctionData('supply', ['usei']));
    expect(await ledger.run(operator, { to: BANK, data, value: 1n })).toMatchObject({ status: 0 });
    expect(readBalanceWei(state(), BANK)).toBe(0n);
  });
});

describe('token pointers under contracts', () => {
  it('are registered by a contract, and found by it', async () => {
    expect(await caller.send('register', [GOLD])).toMatchObject({ status: 1 });
    const [address, version, exists] = (await caller.ask('pointerOf', GOLD)) as [string, bigint, boolean];
    expect([address.toLowerCase(), version, exists]).toEqual([toHexData(pointerAddressOf(GOLD)), 1n, true]);
    expect(((await caller.ask('pointerOf', 'usilver')) as unknown[])[2]).toBe(false);
    expect((await caller.send('register', ['usei'])).vmError).toContain("it is the EVM's own balance");
    expect((await caller.send('register', ['unobody'])).vmError).toContain('has no metadata');
  });

  it('give back what a reverted frame moved', async () => {
    await caller.send('register', [GOLD]);
    const pointer = pointerAddressOf(GOLD);
    const token = new Interface(['function transfer(address,uint256) returns (bool)']);
    const gift = token.encodeFunctionData('transfer', [toHexData(caller.address), 100n]);
    await ledger.run(operator, { to: pointer, data: hexToBytes(gift) });
    expect(readUnits(state(), caller.address, GOLD)).toBe(100n);
    const target = toHexData(stranger.evmAddress);
    const vain = await caller.send('moveTokenInVain', [toHexData(pointer), target, 30n]);
    expect(vain.logs).toHaveLength(1);
    expect(readUnits(state(), caller.address, GOLD)).toBe(100n);
    await caller.send('moveToken', [toHexData(pointer), target, 30n]);
    // Nobody has associated the stranger: its cast account holds what came.
    expect(readUnits(state(), stranger.evmAddress, GOLD)).toBe(30n);
    await ledger.run(operator, { to: stranger.evmAddress, value: TOKEN });
    await ledger.run(stranger, { to: operator.evmAddress, value: 1n });
    expect(readUnits(state(), stranger.evmAddress, GOLD)).toBe(0n);
    expect(readUnits(state(), stranger.chainAddress, GOLD)).toBe(30n);
  });
});

describe('the JSON precompile', () => {
  const json = (value: unknown) =>
    toHexData(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));

  it('reads numbers, texts and lists', async () => {
    const [price, name, list] = (await caller.ask(
      'price',
      json(' { "price" : "12", "list":[1, {"a":[2,3]} ,"x"] , "name":"a\\"b" } '),
    )) as [bigint, string, string[]];
    expect(price).toBe(12n);
    expect(Buffer.from(name.slice(2), 'hex').toString()).toBe('a\\"b');
    expect(list.map((item) => Buffer.from(item.slice(2), 'hex').toString())).toEqual([
      '1',
      '{"a":[2,3]}',
      '"x"',
    ]);
    expect(await caller.ask('item', json([7, 8]), 1)).toBe('0x38');
    expect(await caller.ask('item', json(['a', 'b"']), 1)).toBe(toHexData(Buffer.from('b\\"')));
  });

  it('reverts on what is no JSON or not there, and leaves the gas', async () => {
    for (const text of ['{', '[1]', '{"price":1}', '{"price":-1,"list":[],"name":""}', 'null', '']) {
      expect(await caller.ask('price', json(text))).toBe('execution reverted');
    }
    expect(await caller.ask('item', json([]), 0)).toBe('execution reverted');
    const receipt = await ledger.run(operator, { to: at('1003'), data: hexToBytes('deadbeef') });
    expect(receipt.gasUsed).toBe(21_000n + 4n * 16n + 3_000n);
  });
});

it('finds the address of a creation as everyone does', () => {
  expect(toHexData(caller.address)).toBe(toHexData(createAddress(operator.evmAddress, 0n)));
});
