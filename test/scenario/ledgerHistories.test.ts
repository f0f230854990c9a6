import { readFileSync } from 'node:fs';
import { UnbondingDelegation, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { Interface } from 'ethers';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAddress, type EvmTransaction } from '../../node/src/evm/index.ts';
import {
  BASE_DENOMINATION,
  readHeldDenominations,
  readStakingPool,
  readSupply,
  readSupplyWei,
  WEI_PER_UNIT,
} from '../../node/src/ledger/index.ts';
import {
  bytesToHex,
  evmAddressOf,
  hexToBytes,
  publicKeyOf,
  toBech32,
  toHexData,
} from '../../node/src/primitives/index.ts';
import type { RpcFixture } from '../../node/src/rpc/rpc.fixture.ts';
import { ACCOUNTS } from '../../node/src/rpc/testTransactions.fixture.ts';
import type { PointReads, RangeReads } from '../../node/src/state/view/index.ts';
import { compileContracts } from '../support/contracts.ts';
import { GOLD } from '../support/goldGenesis.ts';
import { type LoadKind, MixedLoad, openGoldChain, POINTER, SIGNERS } from '../support/mixedLoad.ts';

const HISTORIES = Number(process.env.LEDGER_HISTORIES ?? 1);
const STEPS = 90;
const BLOCK_TRANSACTIONS = 6;
const SUPPLY_WEI = 3n * 10n ** 21n + 10_000_000n * WEI_PER_UNIT;
const GOLD_SUPPLY = 3_000_000_000n;
const VALIDATOR = toBech32(SIGNERS[0]!.chainAddress, 'chainvaloper');
const STRANGERS = [60, 61].map((byte) => evmAddressOf(publicKeyOf(new Uint8Array(32).fill(byte), false)!));
const CALLER = createAddress(ACCOUNTS[0]!, 0n);

const at = (last: string) => hexToBytes(`0x${last.padStart(40, '0')}`);
const abiOf = (name: string) => new Interface(readFileSync(`docs/abi/${name}.json`, 'utf8'));
const [bank, staking, distribution] = [abiOf('bank'), abiOf('staking'), abiOf('distribution')];
const token = new Interface([
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
]);

const PLAIN = [
  'value',
  'token',
  'sendUnits',
  'sendGold',
  'sendUnitsAndGold',
  'multiSendGold',
  'register',
] as const;
const CALLS = [
  'giveStranger',
  'payNative',
  'stake',
  'stakeInVain',
  'stakeByContract',
  'unstake',
  'withdraw',
  'approve',
  'transferFrom',
  'tokenInVain',
  'starve',
] as const;
type Kind = (typeof PLAIN)[number] | (typeof CALLS)[number];
type Transaction = EvmTransaction | Uint8Array;
interface Step {
  readonly kind: Kind;
  readonly by: number;
  readonly amount: number;
}

let contract: Interface;
let open: RpcFixture[] = [];
beforeAll(() => {
  contract = new Interface(JSON.stringify(compileContracts().LedgerCaller.abi));
}, 120_000);
afterEach(async () => {
  for (const rpc of open) await rpc.close();
  open = [];
});

const encode = (abi: Interface, name: string, ...args: readonly unknown[]) =>
  hexToBytes(abi.encodeFunctionData(name, args));

/** A call of a precompile, a pointer or the contract that uses them; odd amounts of wei on purpose. */
function callOf({ kind, by, amount }: Step): Parameters<MixedLoad['evm']>[1] {
  const units = BigInt(amount) * WEI_PER_UNIT;
  const odd = BigInt(amount) * 1_234_567_890_123n;
  const stranger = STRANGERS[amount % 2]!;
  const next = toHexData(ACCOUNTS[(by + 1) % 3]!);
  const gasLimit = 900_000n;
  switch (kind) {
    case 'giveStranger':
      return { to: POINTER, data: encode(token, 'transfer', toHexData(stranger), amount), gasLimit };
    case 'payNative':
      return { to: at('1001'), data: encode(bank, 'sendNative', toBech32(stranger)), value: odd, gasLimit };
    case 'stake':
      return { to: at('1005'), data: encode(staking, 'delegate', VALIDATOR), value: units, gasLimit };
    case 'unstake':
      return { to: at('1005'), data: encode(staking, 'undelegate', VALIDATOR, amount), gasLimit };
    case 'withdraw':
      return { to: at('1007'), data: encode(distribution, 'withdrawDelegationRewards', VALIDATOR), gasLimit };
    case 'approve':
      return { to: POINTER, data: encode(token, 'approve', next, amount), gasLimit };
    case 'transferFrom':
      return { to: POINTER, data: encode(token, 'transferFrom', next, toHexData(CALLER), amount), gasLimit };
    case 'stakeByContract':
      return { to: CALLER, data: encode(contract, 'stake', VALIDATOR), value: units, gasLimit };
    case 'stakeInVain':
      return { to: CALLER, data: encode(contract, 'stakeInVain', VALIDATOR, units), gasLimit };
    case 'tokenInVain':
      return {
        to: CALLER,
        data: encode(contract, 'moveTokenInVain', toHexData(POINTER), next, amount),
        gasLimit,
      };
    default:
      // Out of gas in the middle of the ledger's work.
      return {
        to: at('1005'),
        data: encode(staking, 'delegate', VALIDATOR),
        value: units,
        gasLimit: 60_000n + (odd % 60_000n),
      };
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...PLAIN, ...CALLS),
  by: fc.nat(2),
  amount: fc.integer({ min: 1, max: 500_000 }),
});

/** Balances, totals and what accounts are said to hold, from all rows of the bank. */
function expectWholeBank(state: PointReads & RangeReads): void {
  let wei = 0n;
  let gold = 0n;
  const held = new Map<string, string[]>();
  for (const [key, value] of state.iterate('bank')) {
    const amount = () => BigInt(Buffer.from(value).toString());
    if (key[0] === 0x04) wei += amount();
    if (key[0] !== 0x02) continue;
    const end = 2 + key[1]!;
    const denomination = Buffer.from(key.subarray(end)).toString();
    if (denomination === BASE_DENOMINATION) wei += amount() * WEI_PER_UNIT;
    else {
      gold += amount();
      held.set(bytesToHex(key.subarray(2, end)), [denomination]);
    }
  }
  expect([wei, gold]).toEqual([SUPPLY_WEI, GOLD_SUPPLY]);
  expect([readSupplyWei(state), readSupply(state, GOLD)]).toEqual([SUPPLY_WEI, GOLD_SUPPLY]);
  const noted = [...state.iterate('bank', { start: Uint8Array.of(6), end: Uint8Array.of(7) })];
  expect(noted.map(([key]) => bytesToHex(key.subarray(1))).sort()).toEqual([...held.keys()].sort());
  for (const [key] of noted) expect(readHeldDenominations(state, key.subarray(1))).toEqual([GOLD]);
}

function expectStakeInPools(state: PointReads & RangeReads): void {
  let [tokens, unbonding] = [0n, 0n];
  for (const [, value] of state.iterate('staking', {
    start: Uint8Array.of(0x21),
    end: Uint8Array.of(0x22),
  })) {
    tokens += BigInt(Validator.decode(value).tokens);
  }
  for (const [, value] of state.iterate('staking', {
    start: Uint8Array.of(0x32),
    end: Uint8Array.of(0x33),
  })) {
    for (const { balance } of UnbondingDelegation.decode(value).entries) unbonding += BigInt(balance);
  }
  const { bonded, notBonded } = readStakingPool(state);
  expect(bonded + notBonded).toBe(tokens + unbonding);
}

describe('random histories of both VMs', () => {
  it('keep supply, holdings and stake, and give one app hash in either layout', async () => {
    const histories = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), {
      numRuns: HISTORIES,
      seed: Number(process.env.SOAK_SEED ?? 11),
    });
    for (const history of histories) await runHistory(history);
  }, 600_000);
});

async function runHistory(history: readonly Step[]): Promise<void> {
  const genesis = {
    validator: {
      operator: SIGNERS[0]!.chainAddress,
      consensusKey: new Uint8Array(32).fill(7),
      moniker: 'one',
      units: 10_000_000n,
    },
  };
  const [split, whole] = [
    await openGoldChain({ split: true, genesis }),
    await openGoldChain({ split: false, genesis }),
  ];
  open.push(split, whole);
  const load = new MixedLoad();
  const codes = new Set<number>();
  const both = async (...transactions: readonly Transaction[]) => {
    const { results } = await split.block(...transactions);
    await whole.block(...transactions);
    expect(bytesToHex(split.chain.appHash)).toBe(bytesToHex(whole.chain.appHash));
    for (const { code } of results) codes.add(code);
    expectWholeBank(split.chain.newestState);
    expectStakeInPools(split.chain.newestState);
  };
  const { bytecode } = compileContracts().LedgerCaller;
  await both(load.evm(0, { data: hexToBytes(bytecode), gasLimit: 6_000_000n, value: 10n ** 20n }));
  await both(await load.make('register', 1, 0));
  for (let from = 0; from < history.length; from += BLOCK_TRANSACTIONS) {
    const steps = history.slice(from, from + BLOCK_TRANSACTIONS);
    const made = steps.map((one) =>
      (PLAIN as readonly string[]).includes(one.kind)
        ? load.make(one.kind as LoadKind, one.by, one.amount)
        : load.evm(one.by, callOf(one)),
    );
    await both(...(await Promise.all(made)));
  }
  // Some of it failed, which is the point, and most of it did not.
  expect([...codes].sort()).toEqual(expect.arrayContaining([0, 45]));
}
