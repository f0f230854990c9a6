import assert from 'node:assert';
import type { EncodeObject } from '@cosmjs/proto-signing';
import { testAccount } from '../../node/src/execution/testChain.fixture.ts';
import { readAccount } from '../../node/src/ledger/index.ts';
import { signLedger } from '../support/ledgerClient.ts';
import { account, accountText, messages, ValidatorChain } from '../support/validatorChain.ts';

/** Transactions of one kind in a block. */
const COUNT = 40;
/** What all of them ask for has room in one block. */
const ROOM = { gasLimit: 100_000_000n };
const FEE = { amount: [{ denom: 'usei', amount: '4000' }], gas: '800000' };
const SENDER = 5;

export interface MessageRate {
  readonly name: string;
  /** Mgas a second of processor time. */
  readonly rate: number;
}

interface MessageCase {
  readonly name: string;
  /** By account `seed`, the `i`-th of its row. */
  readonly message: (seed: number, i: number) => EncodeObject;
  /** The chain may refuse it, after it has been looked at. */
  readonly isRefused?: boolean;
  /** Who sends; each of them once where one account can send it only once. */
  readonly seeds?: readonly number[];
}

const coins = (amount: number) => [{ denom: 'usei', amount: `${amount}` }];
/** Accounts of genesis that validate nothing, and none of which the chain has seen. */
const STRANGERS = Array.from({ length: COUNT }, (_, i) => 20 + i);

const CASES: readonly MessageCase[] = [
  {
    name: 'MsgSend',
    message: (seed, i) => ({
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: { fromAddress: accountText(seed), toAddress: accountText(i % 8), amount: coins(1) },
    }),
  },
  {
    name: 'MsgMultiSend, 20 outputs',
    message: (seed) => ({
      typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend',
      value: {
        inputs: [{ address: accountText(seed), coins: coins(20) }],
        outputs: Array.from({ length: 20 }, (_, i) => ({ address: accountText(i), coins: coins(1) })),
      },
    }),
  },
  { name: 'MsgDelegate', message: (seed, i) => messages.delegate(seed, i % 2, 10_000 + i) },
  {
    name: 'MsgUndelegate',
    message: (seed, i) => messages.undelegate(seed, i % 2, 1),
    seeds: STRANGERS,
  },
  {
    name: 'MsgBeginRedelegate',
    message: (seed) => messages.redelegate(seed, { from: 0, to: 1 }, 1),
    seeds: STRANGERS,
  },
  { name: 'MsgWithdrawDelegatorReward', message: (seed, i) => messages.withdraw(seed, i % 2) },
  { name: 'MsgSetWithdrawAddress', message: (seed, i) => messages.withdrawTo(seed, i % 8) },
  { name: 'MsgFundCommunityPool', message: (seed) => messages.fund(seed, 1) },
  {
    name: 'MsgEditValidator',
    message: () => messages.edit(0, {}),
    seeds: [0],
  },
  {
    name: 'MsgCreateValidator',
    message: (seed) => messages.create(seed, 1_000_000),
    seeds: STRANGERS,
  },
  {
    name: 'MsgAssociate',
    message: (seed) => ({
      typeUrl: '/chain.evm.v1.MsgAssociate',
      value: { sender: accountText(seed), customMessage: 'hello' },
    }),
    seeds: STRANGERS,
  },
  {
    name: 'MsgWithdrawValidatorCommission, once and of none',
    message: () => messages.commission(0),
    seeds: [0],
    isRefused: true,
  },
  { name: 'MsgUnjail, not jailed', message: () => messages.unjail(0), seeds: [0], isRefused: true },
  {
    name: 'MsgRegisterPointer, no denomination',
    message: (seed, i) => ({
      typeUrl: '/chain.evm.v1.MsgRegisterPointer',
      value: { sender: accountText(seed), denom: `x${i}` },
    }),
    isRefused: true,
  },
];

/** Each kind of ledger message in blocks of its own: signatures, fees and all, as validators run it. */
export async function messageRates(): Promise<MessageRate[]> {
  const rates: MessageRate[] = [];
  for (const { name, message, isRefused = false, seeds = [SENDER] } of CASES) {
    const chain = await ValidatorChain.start({
      stakes: [1_000_000, 1_000_000],
      accounts: STRANGERS[0]! + COUNT,
    });
    await prepared(chain, name, seeds);
    const raws = await signed(chain, message, seeds);
    const cpu = process.cpuUsage();
    const { results } = await chain.block(raws, ROOM);
    const { user, system } = process.cpuUsage(cpu);
    const failed = results.find(({ code }) => code !== 0);
    if (!isRefused) assert.equal(failed, undefined, `${name}: ${failed?.log}`);
    const gas = results.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0);
    rates.push({ name, rate: gas / (user + system) });
  }
  return rates;
}

/** Gives those a delegation who take some of it back, and warms up what all messages run through. */
async function prepared(chain: ValidatorChain, name: string, seeds: readonly number[]): Promise<void> {
  const needs = ['MsgUndelegate', 'MsgBeginRedelegate', 'MsgWithdrawDelegatorReward'].includes(name);
  const first = needs ? seeds : [SENDER];
  for (const to of [0, 1]) {
    await chain.block(await signed(chain, (seed) => messages.delegate(seed, to, 50_000), first), ROOM);
  }
  await chain.block(await signed(chain, (_, i) => messages.withdrawTo(SENDER, i % 8), [SENDER]), ROOM);
}

async function signed(
  chain: ValidatorChain,
  message: MessageCase['message'],
  seeds: readonly number[],
): Promise<Uint8Array[]> {
  const raws: Uint8Array[] = [];
  for (let i = 0; i < COUNT; i++) {
    const seed = seeds[i % seeds.length]!;
    const held = readAccount(chain.state, account(seed));
    const sequence = Number(held?.sequence ?? 0n) + Math.floor(i / seeds.length);
    const accountNumber = Number(held?.accountNumber ?? 0n);
    raws.push(await signLedger(testAccount(seed), [message(seed, i)], { accountNumber, sequence, fee: FEE }));
  }
  return raws;
}
