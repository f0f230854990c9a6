import { AuthInfo, Tx, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { describe, expect, it } from 'vitest';
import { testAccount } from '../../node/src/execution/testChain.fixture.ts';
import { readEngineSets, readStakingPool, readUnits } from '../../node/src/ledger/index.ts';
import { openProtoSchema } from '../../node/src/proto/index.ts';
import { signLedger } from '../support/ledgerClient.ts';
import {
  account,
  consensusAddress,
  consensusKey,
  decimal,
  messages,
  ValidatorChain,
  validatorGenesis,
} from '../support/validatorChain.ts';

const BONDED = 3;
const UNBONDING = 2;
const UNBONDED = 1;
const MILLION = 1_000_000;

const seedsOf = (updates: readonly { publicKey: Uint8Array; power: bigint }[]) =>
  updates.map(({ publicKey, power }) => {
    const seed = [0, 1, 2, 3, 4, 5, 6, 7].find((one) => Buffer.compare(consensusKey(one), publicKey) === 0);
    return [seed, Number(power)];
  });

describe('the validator set', () => {
  it('begins with the strongest of genesis, as many as the parameters allow', async () => {
    const genesis = {
      stakes: [3 * MILLION, 5 * MILLION, 4 * MILLION, 999_999],
      params: { max_validators: 2 },
    };
    const { chain } = await ValidatorChain.start(genesis);
    expect(seedsOf(readEngineSets(chain.state).next)).toEqual([
      [1, 5],
      [2, 4],
    ]);
    expect(readStakingPool(chain.state)).toEqual({ bonded: 9n * 1_000_000n, notBonded: 3_999_999n });
  });

  it('follows delegations: in, up, down, out, and lets go after the unbonding time', async () => {
    const chain = await ValidatorChain.start({
      stakes: [5 * MILLION, 4 * MILLION, 3 * MILLION],
      params: { max_validators: 2, unbonding_time: '10s' },
    });
    expect(seedsOf((await chain.block()).validatorUpdates)).toEqual([]);
    const raise = await chain.block([await chain.sign(5, messages.delegate(5, 2, 3 * MILLION))]);
    expect(seedsOf(raise.validatorUpdates)).toEqual([
      [2, 6],
      [1, 0],
    ]);
    expect(chain.validator(1)).toMatchObject({ status: UNBONDING, unbondingHeight: 3n, jailed: false });
    expect(chain.validator(2)).toMatchObject({ status: BONDED });
    // One block later it signs, which the state says before that.
    expect(seedsOf(readEngineSets(chain.state).next)).toEqual([
      [0, 5],
      [1, 4],
    ]);
    expect(seedsOf(readEngineSets(chain.state).afterNext)).toEqual([
      [2, 6],
      [0, 5],
    ]);
    expect(readStakingPool(chain.state)).toEqual({ bonded: 11_000_000n, notBonded: 4_000_000n });
    await chain.blocks(9);
    expect(chain.validator(1)).toMatchObject({ status: UNBONDING });
    await chain.block();
    expect(chain.validator(1)).toMatchObject({ status: UNBONDED, tokens: '4000000' });
    const back = await chain.block([await chain.sign(5, messages.undelegate(5, 2, 3 * MILLION))]);
    expect(seedsOf(back.validatorUpdates)).toEqual([
      [1, 4],
      [2, 0],
    ]);
  });

  it('forgets a validator whose stake is gone, and lets its operator and its key come again', async () => {
    const chain = await ValidatorChain.start({
      stakes: [5 * MILLION, 4 * MILLION],
      params: { unbonding_time: '3s' },
    });
    expect(await chain.run(1, messages.undelegate(1, 1, 4 * MILLION))).toMatchObject({ code: 0 });
    expect(chain.validator(1)).toMatchObject({ jailed: true, status: UNBONDING, tokens: '0' });
    await chain.blocks(3);
    expect(chain.validator(1)).toBeUndefined();
    expect(readStakingPool(chain.state)).toEqual({ bonded: 5_000_000n, notBonded: 0n });
    expect(await chain.run(1, messages.create(1, 2 * MILLION))).toMatchObject({ code: 0, log: '' });
    expect(chain.validator(1)).toMatchObject({ status: BONDED });
  });

  it('is never empty: who signed last stays when nobody else is left', async () => {
    const chain = await ValidatorChain.start({ stakes: [5 * MILLION, 0.5 * MILLION] });
    const { validatorUpdates } = await chain.block([
      await chain.sign(0, messages.undelegate(0, 0, 5 * MILLION)),
    ]);
    expect(validatorUpdates).toEqual([]);
    expect(seedsOf(readEngineSets(chain.state).afterNext)).toEqual([[0, 5]]);
    const after = await chain.block([await chain.sign(5, messages.delegate(5, 1, 2 * MILLION))]);
    expect(seedsOf(after.validatorUpdates)).toEqual([
      [1, 2],
      [0, 0],
    ]);
  });

  it('keeps only its own key with the embedded engine, and says so', async () => {
    const chain = await ValidatorChain.start(
      { stakes: [5 * MILLION] },
      { soleValidator: consensusAddress(0) },
    );
    const { code, events } = await chain.run(3, messages.create(3, 9 * MILLION));
    expect(code).toBe(0);
    expect(events.find(({ type }) => type === 'validator_stays_unbonded')!.attributes[1]!.value).toContain(
      'the embedded engine keeps only its own key',
    );
    expect(chain.validator(3)).toMatchObject({ status: UNBONDED });
    const grown = await chain.block([await chain.sign(5, messages.delegate(5, 0, MILLION))]);
    expect(seedsOf(grown.validatorUpdates)).toEqual([[0, 6]]);
  });
});

describe('genesis transactions', () => {
  const create = (seed: number, amount: number, chainId?: string) =>
    signLedger(testAccount(seed), [messages.create(seed, amount)], {
      accountNumber: 0,
      ...(chainId && { chainId }),
      fee: { amount: [], gas: '200000' },
    });

  it('create validators that sign from the first block', async () => {
    const transactions = [await create(0, 2 * MILLION), await create(1, 3 * MILLION)].map((raw) =>
      Buffer.from(raw).toString('base64'),
    );
    const chain = await ValidatorChain.start({ stakes: [], transactions });
    expect(seedsOf(readEngineSets(chain.state).next)).toEqual([
      [1, 3],
      [0, 2],
    ]);
    expect(readUnits(chain.state, account(0), 'usei')).toBe(98_000_000n);
  });

  it('are read as the SDK writes them too', async () => {
    const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(await create(0, 2 * MILLION));
    const tx = { body: TxBody.decode(bodyBytes), authInfo: AuthInfo.decode(authInfoBytes), signatures };
    const json = openProtoSchema().toJson('cosmos.tx.v1beta1.Tx', Tx.encode(tx).finish());
    expect(json).toMatchObject({
      body: { messages: [{ '@type': '/cosmos.staking.v1beta1.MsgCreateValidator' }] },
    });
    const chain = await ValidatorChain.start({ stakes: [], transactions: [json] });
    expect(chain.validator(0)).toMatchObject({ tokens: '2000000', status: BONDED });
  });

  it('are refused by name when they are for another chain, or no validator', async () => {
    const other = Buffer.from(await create(0, MILLION, 'another-1')).toString('base64');
    await expect(ValidatorChain.start({ stakes: [], transactions: [other] })).rejects.toThrow(
      /gen_txs\[0\] is .*signature verification failed/,
    );
    await expect(ValidatorChain.start({ stakes: [], transactions: ['AAAA'] })).rejects.toThrow(
      /gen_txs\[0\]/,
    );
    expect(validatorGenesis({ stakes: [] }).genutil.gen_txs).toBeUndefined();
  });
});

describe('MsgCreateValidator', () => {
  it('makes a bonded validator of an account, signed either way', async () => {
    const chain = await ValidatorChain.start({ stakes: [5 * MILLION] });
    expect(await chain.run(3, messages.create(3, 2 * MILLION), 'amino')).toMatchObject({ code: 0, log: '' });
    expect(chain.validator(3)).toMatchObject({
      status: BONDED,
      tokens: '2000000',
      description: { moniker: 'made 3', securityContact: 's' },
      commission: { commissionRates: { rate: decimal('0.1') } },
    });
  });

  it.each([
    ['an operator that has one', 0, {}, 4, 'staking'],
    ['a key that signs already', 3, { pubkey: messages.create(0, 1).value.pubkey }, 5, 'staking'],
    ['no key', 3, { pubkey: undefined }, 39, 'staking'],
    [
      'a key of another kind',
      3,
      { pubkey: { typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: new Uint8Array(0) } },
      6,
      'staking',
    ],
    [
      'a key cut short',
      3,
      { pubkey: { typeUrl: '/cosmos.crypto.ed25519.PubKey', value: Uint8Array.of(0x0a, 200, 1) } },
      2,
      'sdk',
    ],
    [
      'a rate above the maximum',
      3,
      { commission: { rate: decimal('0.3'), maxRate: decimal('0.2'), maxChangeRate: '0' } },
      11,
      'staking',
    ],
    [
      'a maximum above 100 %',
      3,
      { commission: { rate: '0', maxRate: decimal('1.1'), maxChangeRate: '0' } },
      10,
      'staking',
    ],
    ['a negative rate', 3, { commission: { rate: '-1', maxRate: '0', maxChangeRate: '0' } }, 9, 'staking'],
    [
      'a change above the maximum',
      3,
      { commission: { rate: '0', maxRate: '1', maxChangeRate: '2' } },
      14,
      'staking',
    ],
    [
      'a rate below the chain’s least',
      3,
      { commission: { rate: decimal('0.04'), maxRate: decimal('0.2'), maxChangeRate: '0' } },
      40,
      'staking',
    ],
    ['less than its own minimum', 3, { minSelfDelegation: '2000001' }, 16, 'staking'],
    ['no minimum', 3, { minSelfDelegation: '0' }, 18, 'sdk'],
    [
      'an empty description',
      3,
      { description: { moniker: '', identity: '', website: '', securityContact: '', details: '' } },
      18,
      'sdk',
    ],
    [
      'a long moniker',
      3,
      {
        description: { moniker: 'm'.repeat(71), identity: '', website: '', securityContact: '', details: '' },
      },
      18,
      'sdk',
    ],
    ['more than it holds', 3, { value: { denom: 'usei', amount: '1000000000' } }, 5, 'sdk'],
    ['another denomination', 3, { value: { denom: 'uother', amount: '5' } }, 18, 'sdk'],
  ])('refuses %s', async (...[, seed, changes, code, codespace]) => {
    const chain = await ValidatorChain.start({
      stakes: [5 * MILLION],
      params: { min_commission_rate: '0.05' },
    });
    expect(await chain.run(seed, messages.create(seed, 2 * MILLION, changes))).toMatchObject({
      code,
      codespace,
    });
    expect(chain.validator(3)).toBeUndefined();
  });
});

describe('MsgEditValidator', () => {
  const DAY = 86_400n;

  it('changes what it names, and the commission once a day', async () => {
    const chain = await ValidatorChain.start({ stakes: [5 * MILLION] });
    const edit = (changes: object) => chain.run(0, messages.edit(0, changes as Record<string, unknown>));
    const description = { ...messages.edit(0, {}).value.description, website: 'https://example.com' };
    expect(await edit({ description })).toMatchObject({ code: 0, log: '' });
    expect(chain.validator(0)!.description).toMatchObject({
      moniker: 'validator 0',
      website: 'https://example.com',
    });
    expect(await edit({ commissionRate: decimal('0.105') })).toMatchObject({
      code: 12,
      codespace: 'staking',
    });
    chain.seconds += DAY;
    expect(await edit({ commissionRate: decimal('0.12') })).toMatchObject({ code: 15, codespace: 'staking' });
    expect(await edit({ commissionRate: decimal('0.21') })).toMatchObject({ code: 11, codespace: 'staking' });
    expect(await edit({ commissionRate: decimal('1.1') })).toMatchObject({ code: 18, codespace: 'sdk' });
    expect(await edit({ commissionRate: decimal('0.11') })).toMatchObject({ code: 0 });
    expect(await edit({ commissionRate: decimal('0.05') })).toMatchObject({ code: 12 });
    expect(await edit({ minSelfDelegation: '1' })).toMatchObject({ code: 17, codespace: 'staking' });
    expect(await edit({ minSelfDelegation: '6000000' })).toMatchObject({ code: 16, codespace: 'staking' });
    expect(await edit({ minSelfDelegation: '4000000' })).toMatchObject({ code: 0 });
    expect(chain.validator(0)).toMatchObject({
      minSelfDelegation: '4000000',
      commission: { commissionRates: { rate: decimal('0.11') } },
    });
    // Less than it promised: the validator is jailed and unbonds.
    expect(await chain.run(0, messages.undelegate(0, 0, 1_000_001))).toMatchObject({ code: 0 });
    expect(chain.validator(0)).toMatchObject({ jailed: true, status: UNBONDING });
    expect(await chain.run(3, messages.edit(3, { minSelfDelegation: '2' }))).toMatchObject({ code: 3 });
  });
});
