import { describe, expect, it } from 'vitest';
import { testAccount } from '../../node/src/execution/testChain.fixture.ts';
import {
  readCommission,
  readFeePool,
  readRedelegation,
  readStakingPool,
  readUnbonding,
  readUnits,
} from '../../node/src/ledger/index.ts';
import { signLedger } from '../support/ledgerClient.ts';
import { expectInvariants } from '../support/stakingInvariants.ts';
import { account, consensusAddress, messages, ValidatorChain } from '../support/validatorChain.ts';

const MILLION = 1_000_000;
const UNITS = 10n ** 18n;
const params = { unbonding_time: '60s', max_validators: 2, max_entries: 2 };
const three = { stakes: [5 * MILLION, 4 * MILLION, 3 * MILLION], params };
const units = (chain: ValidatorChain, seed: number) => readUnits(chain.state, account(seed), 'usei');
const FEE = 4000n;

describe('redelegation', () => {
  it('moves stake at once, also between pools, and keeps what moved from moving on', async () => {
    const chain = await ValidatorChain.start(three);
    await chain.run(5, messages.delegate(5, 0, MILLION));
    expect(await chain.run(5, messages.redelegate(5, { from: 0, to: 2 }, 400_000))).toMatchObject({
      code: 0,
    });
    // Validator 2 is not bonded: its stake lies in the other pool.
    expect(readStakingPool(chain.state)).toEqual({ bonded: 9_600_000n, notBonded: 3_400_000n });
    const places = { source: account(0), target: account(2) };
    const { entries } = readRedelegation(chain.state, account(5), places)!;
    expect(entries).toMatchObject([{ initialBalance: '400000', sharesDst: String(400_000n * UNITS) }]);
    const again = (from: number, to: number) => chain.run(5, messages.redelegate(5, { from, to }, 100));
    expect(await again(2, 1)).toMatchObject({ code: 32, codespace: 'staking' });
    expect(await again(0, 0)).toMatchObject({ code: 29, codespace: 'staking' });
    expect(await again(0, 4)).toMatchObject({ code: 31, codespace: 'staking' });
    expect(await again(3, 1)).toMatchObject({ code: 3, codespace: 'staking' });
    expect(await again(1, 0)).toMatchObject({ code: 19, codespace: 'staking' });
    expect(await again(0, 2)).toMatchObject({ code: 0 });
    expect(await again(0, 2)).toMatchObject({ code: 33, codespace: 'staking' });
    expect(await chain.run(5, messages.redelegate(5, { from: 0, to: 1 }, 9 * MILLION))).toMatchObject({
      code: 18,
      codespace: 'sdk',
    });
    expectInvariants(chain.state);
    chain.seconds += 60n;
    const { events } = await chain.block();
    expect(events.find(({ type }) => type === 'complete_redelegation')!.attributes[0]!.value).toBe(
      '400100usei',
    );
    expect(readRedelegation(chain.state, account(5), places)).toBeUndefined();
    expect(await again(2, 1)).toMatchObject({ code: 0 });
  });

  it('away from a validator that nobody can slash any more is done at once', async () => {
    const chain = await ValidatorChain.start(three);
    await chain.run(5, messages.delegate(5, 2, 500_000));
    expect(await chain.run(5, messages.redelegate(5, { from: 2, to: 1 }, 500_000))).toMatchObject({
      code: 0,
    });
    expect(
      readRedelegation(chain.state, account(5), { source: account(2), target: account(1) }),
    ).toBeUndefined();
    expect(readStakingPool(chain.state)).toEqual({ bonded: 9_500_000n, notBonded: 3_000_000n });
  });
});

describe('unbonding', () => {
  it('joins what leaves in one block, and allows so many entries', async () => {
    // All fees are the community's, so that only stake moves.
    const chain = await ValidatorChain.start({ ...three, distribution: { community_tax: '1' } });
    await chain.run(5, messages.delegate(5, 0, MILLION));
    const before = units(chain, 5);
    const one = messages.undelegate(5, 0, 100_000);
    // Both in one transaction, and so in one block.
    const raw = await signLedger(testAccount(5), [one, one], {
      accountNumber: 6,
      sequence: 1,
      fee: { amount: [{ denom: 'usei', amount: '4000' }], gas: '2000000' },
    });
    expect((await chain.block([raw])).results[0]).toMatchObject({ code: 0, log: '' });
    expect(readUnbonding(chain.state, account(5), account(0))!.entries).toMatchObject([
      { balance: '200000', initialBalance: '200000' },
    ]);
    expect(await chain.run(5, one)).toMatchObject({ code: 0 });
    expect(await chain.run(5, one)).toMatchObject({ code: 27, codespace: 'staking' });
    chain.seconds += 60n;
    await chain.block();
    expect(units(chain, 5)).toBe(before - 3n * FEE + 300_000n);
    expect(readUnbonding(chain.state, account(5), account(0))).toBeUndefined();
    expectInvariants(chain.state);
  });
});

describe('rewards of several validators', () => {
  it('are shared by power, and the commission is the validator’s', async () => {
    const chain = await ValidatorChain.start({
      stakes: [6 * MILLION, 4 * MILLION],
      distribution: { community_tax: '0.1' },
    });
    // 4,000 units of fees: a tenth for the community, of the rest 0.6 and 0.4; of these a tenth is commission.
    expect(await chain.run(5, messages.fund(5, 7))).toMatchObject({ code: 0, log: '' });
    await chain.block();
    const commission = (seed: number) => readCommission(chain.state, account(seed)).commission[0]!.amount;
    expect([commission(0), commission(1)]).toEqual([String(216n * UNITS), String(144n * UNITS)]);
    expect(readFeePool(chain.state).communityPool[0]!.amount).toBe(String(407n * UNITS));
    expect(await chain.run(1, messages.withdrawTo(1, 7))).toMatchObject({ code: 0, log: '' });
    const seven = units(chain, 7);
    expect(await chain.run(1, messages.commission(1))).toMatchObject({ code: 0, log: '' });
    // The fee of the message before was shared at the start of this block.
    expect(units(chain, 7)).toBe(seven + 288n);
    expect(await chain.run(5, messages.commission(5))).toMatchObject({ code: 7, codespace: 'distribution' });
    expect(await chain.run(5, messages.withdraw(5, 0))).toMatchObject({ code: 5, codespace: 'distribution' });
    expectInvariants(chain.state);
  });

  it('stay where they are told to when the chain allows no other address', async () => {
    const chain = await ValidatorChain.start({
      stakes: [6 * MILLION],
      distribution: { withdraw_addr_enabled: false },
    });
    expect(await chain.run(5, messages.withdrawTo(5, 6))).toMatchObject({
      code: 8,
      codespace: 'distribution',
    });
  });

  it('go on by less stake after a slash, and nobody gets more than there is', async () => {
    const chain = await ValidatorChain.start({ stakes: [6 * MILLION, 3_333_333] });
    await chain.run(5, messages.delegate(5, 1, 1_234_567));
    const misbehavior = {
      kind: 'duplicateVote' as const,
      address: consensusAddress(1),
      power: 4n,
      height: 1,
      time: { seconds: chain.seconds, nanos: 0 },
    };
    await chain.block([], { misbehavior: [misbehavior] });
    for (let i = 0; i < 5; i++) {
      await chain.run(6, messages.delegate(6, 1, 1000 + i));
      expectInvariants(chain.state);
    }
    expect(await chain.run(5, messages.withdraw(5, 1))).toMatchObject({ code: 0 });
    expectInvariants(chain.state);
  });
});

describe('genesis parameters', () => {
  it.each([
    [
      { stakes: [], params: { max_validators: 0 } },
      /staking\.params\.max_validators is 0; it must be at least 1/,
    ],
    [
      { stakes: [], params: { unbonding_time: '3 weeks' } },
      /params\.unbonding_time .*a duration above zero in seconds/,
    ],
    [{ stakes: [], params: { bond_denom: 'uatom' } }, /bond_denom .*"usei"/],
    [{ stakes: [], params: { max_validator: 1 } }, /max_validator/],
    [{ stakes: [], slashing: { slash_fraction_downtime: '1.5' } }, /slash_fraction_downtime .*at most "1"/],
    [{ stakes: [], distribution: { withdraw_addr_enabled: 'yes' } }, /withdraw_addr_enabled .*true or false/],
  ])('refuses %j by its path', async (genesis, message) => {
    await expect(ValidatorChain.start(genesis)).rejects.toThrow(message);
  });
});
