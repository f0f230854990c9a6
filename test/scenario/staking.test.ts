import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createGenesisState } from '../../node/src/execution/index.ts';
import { signRaw, TestChain, TOKEN, testAccount } from '../../node/src/execution/testChain.fixture.ts';
import {
  pendingRewards,
  readAccountWei,
  readCommission,
  readDelegation,
  readStakingPool,
  readSupplyWei,
  readUnbonding,
  readUnits,
  readValidator,
} from '../../node/src/ledger/index.ts';
import { sha256, toBech32 } from '../../node/src/primitives/index.ts';
import { sendMessage, signLedger } from '../support/ledgerClient.ts';

const accounts = [0, 1, 2].map(testAccount);
const [operator, friend] = accounts as [ReturnType<typeof testAccount>, ReturnType<typeof testAccount>];
const VALOPER = toBech32(operator.chainAddress, 'chainvaloper');
const consensusKey = new Uint8Array(32).fill(7);
const CONSENSUS = sha256(consensusKey).subarray(0, 20);
const STAKED = 10_000_000n;
const UNBONDING_SECONDS = 3n;

let chain: TestChain;
let sequences: Record<number, number>;

beforeEach(async () => {
  chain = await TestChain.start(
    createGenesisState({
      evmChainId: 713_714n,
      accounts: accounts.map((account) => ({ ...account, balanceWei: 100n * TOKEN })),
      validator: { operator: operator.chainAddress, consensusKey, moniker: 'one', units: STAKED },
      unbondingSeconds: UNBONDING_SECONDS,
    }),
  );
  sequences = { 0: 0, 1: 0, 2: 0 };
});

/** Sequences follow the ledger, which counts a transaction whose message fails. */
const next = (by: number): number => {
  const now = sequences[by] ?? 0;
  sequences[by] = now + 1;
  return now;
};

const block = (raws: Uint8Array[]) =>
  chain.block(raws, { lastVotes: [{ address: CONSENSUS, power: 10n, signed: true }] });

async function signed(by: number, kind: string, amount?: string): Promise<Uint8Array> {
  const module = kind.startsWith('MsgWithdraw') ? 'distribution' : 'staking';
  const value = {
    delegatorAddress: toBech32(accounts[by]!.chainAddress),
    validatorAddress: VALOPER,
    ...(amount && { amount: { denom: 'usei', amount } }),
  };
  const fee = { amount: [{ denom: 'usei', amount: '4000' }], gas: '400000' };
  const typeUrl = `/cosmos.${module}.v1beta1.${kind}`;
  return signLedger(accounts[by]!, [{ typeUrl, value }], {
    accountNumber: by + 1,
    sequence: next(by),
    fee,
    mode: by % 2 === 0 ? 'direct' : 'amino',
  });
}

async function run(raw: Promise<Uint8Array>) {
  const { results } = await block([await raw]);
  return results[0]!;
}

/** Whole units that all accounts, pools and rewards hold, and the supply that the bank tells. */
function expectSupply(): void {
  let wei = 0n;
  for (const [key, value] of chain.state.rows('bank')) {
    const amount = () => BigInt(Buffer.from(value).toString());
    if (key[0] === 0x02) wei += amount() * 10n ** 12n;
    if (key[0] === 0x04) wei += amount();
  }
  expect(wei).toBe(readSupplyWei(chain.state));
  expect(readSupplyWei(chain.state)).toBe(300n * TOKEN + STAKED * 10n ** 12n);
}

describe('staking', () => {
  it('begins with the validator of genesis, bonded', () => {
    expect(readValidator(chain.state, operator.chainAddress)).toMatchObject({
      operatorAddress: VALOPER,
      status: 3,
      tokens: STAKED.toString(),
    });
    expect(readStakingPool(chain.state)).toEqual({ bonded: STAKED, notBonded: 0n });
    expectSupply();
  });

  it('delegates, earns fees, withdraws them, and gets the stake back when it has unbonded', async () => {
    const start = readUnits(chain.state, friend.chainAddress, 'usei');
    expect(await run(signed(1, 'MsgDelegate', '10000000'))).toMatchObject({ code: 0, log: '' });
    expect(readStakingPool(chain.state)).toEqual({ bonded: 2n * STAKED, notBonded: 0n });
    await block([]);
    // Of 4,000 units 2 % go to the community; half of the rest less 10 % commission is the delegator's.
    const reward = pendingRewards(chain.state, friend.chainAddress, operator.chainAddress);
    expect(reward / 10n ** 18n).toBe(1764n);
    expect(readCommission(chain.state, operator.chainAddress).commission[0]!.amount).toBe(
      `${392n * 10n ** 18n}`,
    );
    expect(await run(signed(1, 'MsgWithdrawDelegatorReward'))).toMatchObject({ code: 0, log: '' });
    expect(readUnits(chain.state, friend.chainAddress, 'usei')).toBe(start - 10_000_000n - 8000n + 1764n);
    expect(await run(signed(1, 'MsgUndelegate', '10000000'))).toMatchObject({ code: 0, log: '' });
    expect(readDelegation(chain.state, friend.chainAddress, operator.chainAddress)).toBeUndefined();
    expect(readUnbonding(chain.state, friend.chainAddress, operator.chainAddress)!.entries).toHaveLength(1);
    const before = readUnits(chain.state, friend.chainAddress, 'usei');
    for (let i = 0n; i <= UNBONDING_SECONDS; i++) await block([]);
    expect(readUnits(chain.state, friend.chainAddress, 'usei')).toBe(before + 10_000_000n);
    expect(readUnbonding(chain.state, friend.chainAddress, operator.chainAddress)).toBeUndefined();
    expectSupply();
  });

  it("refuses in the SDK's codes what is not staked, and validators that do not exist", async () => {
    expect(await run(signed(1, 'MsgUndelegate', '1'))).toMatchObject({ code: 19, codespace: 'staking' });
    expect(await run(signed(1, 'MsgDelegate', '9'.repeat(20)))).toMatchObject({ code: 5, codespace: 'sdk' });
    await run(signed(1, 'MsgDelegate', '5'));
    expect(await run(signed(1, 'MsgUndelegate', '6'))).toMatchObject({ code: 18, codespace: 'sdk' });
    expectSupply();
  });

  it('keeps the supply through any history of both VMs', async () => {
    const step = fc.record({
      by: fc.nat(2),
      to: fc.nat(4),
      kind: fc.constantFrom('send', 'evm', 'MsgDelegate', 'MsgUndelegate', 'MsgWithdrawDelegatorReward'),
      amount: fc.integer({ min: 1, max: 3_000_000 }),
    });
    const nonces = new Map<number, bigint>();
    const nextNonce = (by: number) => {
      const now = nonces.get(by) ?? 0n;
      nonces.set(by, now + 1n);
      return now;
    };
    const taken = fc.sample(fc.array(step, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 42 })[0]!;
    for (const { by, to, kind, amount } of taken) {
      const target = testAccount(to);
      if (kind === 'evm') {
        // Odd wei, so that remainders borrow and carry; strangers get a cast account.
        const value = BigInt(amount) * 1_234_567_890_123n;
        const { results } = await block([
          signRaw(accounts[by]!, { to: target.evmAddress, value, nonce: nextNonce(by) }),
        ]);
        expect(results[0]!.code).toBe(0);
      } else if (kind === 'send') {
        const message = sendMessage(accounts[by]!.chainAddress, target.chainAddress, String(amount));
        await block([
          await signLedger(accounts[by]!, [message], { accountNumber: by + 1, sequence: next(by) }),
        ]);
      } else await run(signed(by, kind, kind.startsWith('MsgW') ? undefined : String(amount)));
      expectSupply();
    }
    expect(readAccountWei(chain.state, friend.chainAddress)).toBeGreaterThan(0n);
  });
});
