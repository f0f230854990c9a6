import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockOutcome } from '../../node/src/execution/index.ts';
import { signRaw, testAccount } from '../../node/src/execution/testChain.fixture.ts';
import { readSupplyWei } from '../../node/src/ledger/index.ts';
import type { LedgerEvent } from '../../node/src/types/index.ts';
import { sendMessage } from '../support/ledgerClient.ts';
import { expectInvariants } from '../support/stakingInvariants.ts';
import { account, consensusAddress, messages, ValidatorChain } from '../support/validatorChain.ts';

const RUNS = Number(process.env.STAKING_HISTORIES ?? 2);
const STEPS = 120;
const SEED = Number(process.env.STAKING_SEED ?? 7);
const MILLION = 1_000_000;
const PEOPLE = 6;
/** Whoever may have a validator. */
const OPERATORS = 4;

const person = fc.nat(PEOPLE - 1);
const stepArbitrary = fc.record({
  kind: fc.constantFrom(
    'delegate',
    'delegate',
    'undelegate',
    'undelegate',
    'redelegate',
    'withdraw',
    'commission',
    'create',
    'edit',
    'unjail',
    'send',
    'evm',
    'absent',
    'absent',
    'doubleSign',
    'wait',
    'withdrawTo',
    'fund',
    'empty',
  ),
  by: person,
  to: fc.nat(OPERATORS - 1),
  other: fc.nat(OPERATORS - 1),
  // Odd amounts, so that exchange rates become odd too.
  amount: fc.integer({ min: 1, max: 3 * MILLION }),
});
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** Plays steps on one chain, one block each. */
class Player {
  readonly chain: ValidatorChain;
  readonly #nonces = new Map<number, bigint>();

  constructor(chain: ValidatorChain) {
    this.chain = chain;
  }

  async play(step: Step): Promise<BlockOutcome> {
    const { chain } = this;
    const { kind, by, to, other, amount } = step;
    if (kind === 'wait') chain.seconds += BigInt(amount % 20);
    if (kind === 'absent' && !chain.absent.delete(to)) chain.absent.add(to);
    if (kind === 'evm') return chain.block([this.#transfer(by, { to, amount })]);
    if (kind === 'doubleSign') return chain.block([], { misbehavior: [this.#misbehavior(to, other)] });
    const message = {
      delegate: () => messages.delegate(by, to, amount),
      undelegate: () => messages.undelegate(by, to, amount % 1_500_000),
      redelegate: () => messages.redelegate(by, { from: to, to: other }, amount % 400_000),
      withdraw: () => messages.withdraw(by, to),
      commission: () => messages.commission(to),
      create: () => messages.create(to, amount),
      edit: () => messages.edit(to, { minSelfDelegation: String(amount) }),
      unjail: () => messages.unjail(to),
      send: () => sendMessage(account(by), account(to), String(amount)),
      withdrawTo: () => messages.withdrawTo(by, to),
      fund: () => messages.fund(by, amount),
    }[kind as 'delegate'];
    const signer = ['create', 'commission', 'edit', 'unjail'].includes(kind) ? to : by;
    return chain.block(message ? [await chain.sign(signer, message())] : []);
  }

  #transfer(by: number, { to, amount }: { to: number; amount: number }): Uint8Array {
    const nonce = this.#nonces.get(by) ?? 0n;
    this.#nonces.set(by, nonce + 1n);
    const value = BigInt(amount) * 1_234_567_890_123n;
    return signRaw(testAccount(by), { to: testAccount(to).evmAddress, value, nonce });
  }

  #misbehavior(seed: number, ago: number) {
    const { chain } = this;
    const power = BigInt(chain.validator(seed)?.tokens ?? '0') / BigInt(MILLION);
    const height = Math.max(1, chain.chain.height - ago);
    const time = { seconds: chain.seconds, nanos: 0 };
    return { kind: 'duplicateVote' as const, address: consensusAddress(seed), power, height, time };
  }
}

/** Units that a block burned, as its events tell. */
function burnedBy({ events, results }: BlockOutcome): bigint {
  const all: LedgerEvent[] = [...events, ...results.flatMap((result) => result.events)];
  return all
    .filter(({ type }) => type === 'burn')
    .reduce((sum, { attributes }) => sum + BigInt(attributes[1]!.value.replace('usei', '')), 0n);
}

describe('staking through any history of bank, staking and EVM', () => {
  it(
    'keeps supply, pools, shares, rewards and sets in step after every block',
    async () => {
      const histories = fc.sample(fc.array(stepArbitrary, { minLength: STEPS, maxLength: STEPS }), {
        numRuns: RUNS,
        seed: SEED,
      });
      const codes = new Map<string, number>();
      for (const steps of histories) {
        const player = new Player(
          await ValidatorChain.start({
            stakes: [5 * MILLION, 3_333_333, 2 * MILLION],
            params: { max_validators: 3, unbonding_time: '15s', max_entries: 3 },
            slashing: {
              signed_blocks_window: '12',
              downtime_jail_duration: '5s',
              slash_fraction_downtime: '0.013',
            },
            accounts: PEOPLE,
          }),
        );
        let supply = readSupplyWei(player.chain.state);
        expectInvariants(player.chain.state);
        for (const step of steps) {
          const outcome = await player.play(step);
          supply -= burnedBy(outcome) * 10n ** 12n;
          expect(readSupplyWei(player.chain.state), JSON.stringify(step)).toBe(supply);
          expectInvariants(player.chain.state);
          const key = `${step.kind} ${outcome.results[0]?.code ?? '-'}`;
          codes.set(key, (codes.get(key) ?? 0) + 1);
        }
      }
      // The history means something only if most kinds of steps did something.
      for (const kind of [
        'delegate',
        'undelegate',
        'redelegate',
        'withdraw',
        'commission',
        'unjail',
        'evm',
        'send',
      ]) {
        expect(codes.get(`${kind} 0`) ?? 0, kind).toBeGreaterThan(0);
      }
    },
    60_000 * RUNS,
  );
});
