import {
  QueryAllEvidenceResponse,
  QueryEvidenceRequest,
  QueryEvidenceResponse,
} from 'cosmjs-types/cosmos/evidence/v1beta1/query';
import { Interface } from 'ethers';
import { describe, expect, it } from 'vitest';
import { signRaw, testAccount } from '../../node/src/execution/testChain.fixture.ts';
import {
  evidenceRows,
  prefixRange,
  readDelegation,
  readSigningInfo,
  readSlashes,
  readStakingPool,
  readSupplyWei,
  readUnbonding,
} from '../../node/src/ledger/index.ts';
import { openQueryService } from '../../node/src/ledgerQuery/index.ts';
import { bytesToHex, hexToBytes, sha256, toBech32 } from '../../node/src/primitives/index.ts';
import { RangesAhead } from '../../node/src/rpc/jobs/rangesAhead.ts';
import { stateOn } from '../../node/src/rpc/jobs/runJob.ts';
import type { Misbehavior } from '../../node/src/types/index.ts';
import {
  account,
  consensusAddress,
  messages,
  operatorText,
  ValidatorChain,
} from '../support/validatorChain.ts';

// The amounts are worked out by hand from the rules of the SDK's x/slashing and x/staking (v0.50).

const BONDED = 3;
const UNBONDING = 2;
const MILLION = 1_000_000;
const slashing = {
  signed_blocks_window: '10',
  min_signed_per_window: '0.5',
  downtime_jail_duration: '10s',
  slash_fraction_double_sign: '0.05',
  slash_fraction_downtime: '0.01',
};
const units = (chain: ValidatorChain) => readSupplyWei(chain.state) / 10n ** 12n;
const info = (chain: ValidatorChain, seed: number) => readSigningInfo(chain.state, consensusAddress(seed))!;
const doubleSign = (seed: number, { height, power }: { height: number; power: bigint }): Misbehavior => ({
  kind: 'duplicateVote',
  address: consensusAddress(seed),
  power,
  height,
  time: { seconds: 1_700_000_000n, nanos: 0 },
});

/** The ledger's queries, of which only those of state can be asked. */
function queriesOn({ chain }: ValidatorChain) {
  const stateStore = {
    async *iterate(store: string, _version: number, range: Parameters<typeof chain.state.iterate>[1]) {
      yield* chain.state.iterate(store, range);
    },
  };
  const newest = { height: chain.height, stateAt: () => chain.state };
  return openQueryService({} as never, { chain: newest, stateStore } as never);
}

describe('a validator that is down', () => {
  it('is slashed by its power and jailed when it has missed half of a window, and may come back', async () => {
    // 3,333,333 units are power 3: a hundredth of 3,000,000 units is lost.
    const chain = await ValidatorChain.start({ stakes: [10 * MILLION, 3_333_333], slashing });
    const supply = units(chain);
    chain.absent.add(1);
    // Votes are told of from block 2 on; a window has passed after height 10.
    await chain.blocks(9);
    expect(chain.chain.height).toBe(10);
    expect(info(chain, 1)).toMatchObject({ missedBlocksCounter: 9n, indexOffset: 9n });
    expect(chain.validator(1)).toMatchObject({ jailed: false, status: BONDED, tokens: '3333333' });
    const { events, validatorUpdates } = await chain.block();
    expect(chain.validator(1)).toMatchObject({ jailed: true, status: UNBONDING, tokens: '3303333' });
    expect(validatorUpdates.map(({ power }) => power)).toEqual([0n]);
    expect(info(chain, 1)).toMatchObject({
      missedBlocksCounter: 0n,
      indexOffset: 0n,
      tombstoned: false,
      jailedUntil: { seconds: chain.seconds + 10n },
    });
    expect(events.find(({ type }) => type === 'slash')!.attributes.map(({ value }) => value)).toEqual([
      expect.stringMatching(/^chainvalcons1/),
      '3',
      'missing_signature',
      expect.stringMatching(/^chainvalcons1/),
      '30000',
      'BeginBlock',
    ]);
    // 30,000 / 3,333,333, rounded up at the 18th digit.
    const [slash] = readSlashes(chain.state, account(1));
    expect(slash).toMatchObject({ height: 11n, event: { fraction: '9000000900000091' } });
    expect(units(chain)).toBe(supply - 30_000n);
    expect(readStakingPool(chain.state)).toEqual({ bonded: 10_000_000n, notBonded: 3_303_333n });
    expect(await chain.run(1, messages.unjail(1))).toMatchObject({ code: 4, codespace: 'slashing' });
    chain.absent.clear();
    await chain.blocks(9);
    expect(await chain.run(1, messages.unjail(1))).toMatchObject({ code: 0, log: '' });
    expect(chain.validator(1)).toMatchObject({ jailed: false, status: BONDED });
    expect(info(chain, 1).startHeight).toBe(BigInt(chain.chain.height));
    expect(await chain.run(1, messages.unjail(1))).toMatchObject({ code: 5, codespace: 'slashing' });
    expect(await chain.run(3, messages.unjail(3))).toMatchObject({ code: 2, codespace: 'slashing' });
  });

  it('is left alone while it signs every other block, and its window forgets', async () => {
    const chain = await ValidatorChain.start({ stakes: [10 * MILLION, MILLION], slashing });
    for (let i = 0; i < 30; i++) {
      if (i % 2 === 0) chain.absent.add(1);
      else chain.absent.delete(1);
      await chain.block();
    }
    expect(info(chain, 1)).toMatchObject({ missedBlocksCounter: 5n, indexOffset: 30n });
    chain.absent.clear();
    await chain.blocks(10);
    expect(info(chain, 1)).toMatchObject({ missedBlocksCounter: 0n, indexOffset: 40n });
    expect(chain.validator(1)).toMatchObject({ jailed: false, tokens: '1000000' });
  });

  it('may not come back with less of its own than it promised', async () => {
    const chain = await ValidatorChain.start({ stakes: [10 * MILLION, 2 * MILLION], slashing });
    expect(await chain.run(1, messages.edit(1, { minSelfDelegation: '2000000' }))).toMatchObject({ code: 0 });
    chain.absent.add(1);
    await chain.blocks(12);
    chain.seconds += 60n;
    expect(await chain.run(1, messages.unjail(1))).toMatchObject({ code: 7, codespace: 'slashing' });
    expect(await chain.run(1, messages.undelegate(1, 1, 1_980_000))).toMatchObject({ code: 0 });
    expect(await chain.run(1, messages.unjail(1))).toMatchObject({ code: 6, codespace: 'slashing' });
  });
});

describe('a validator that signs twice', () => {
  it('loses of what it has, of what unbonds since and of what moved on since, and never comes back', async () => {
    const chain = await ValidatorChain.start({ stakes: [10 * MILLION, 10 * MILLION], slashing });
    await chain.run(5, messages.delegate(5, 1, 4_500_000)); // block 2
    await chain.run(5, messages.undelegate(5, 1, 500_000)); // 3, before the offence
    await chain.run(5, messages.undelegate(5, 1, MILLION)); // 4
    await chain.run(5, messages.redelegate(5, { from: 1, to: 0 }, MILLION)); // 5
    expect(chain.validator(1)!.tokens).toBe('12000000');
    const supply = units(chain);
    const { events } = await chain.block([], { misbehavior: [doubleSign(1, { height: 5, power: 14n })] });
    // 5 % of 14,000,000 are owed: 50,000 each of what unbonds and of what moved, the rest of what is there.
    expect(units(chain)).toBe(supply - 700_000n);
    expect(chain.validator(1)).toMatchObject({ tokens: '11400000', jailed: true, status: UNBONDING });
    expect(chain.validator(0)).toMatchObject({ tokens: '10950000' });
    expect(readDelegation(chain.state, account(5), account(0))!.shares).toBe(`${950_000n * 10n ** 18n}`);
    expect(readDelegation(chain.state, account(5), account(1))!.shares).toBe(`${2_000_000n * 10n ** 18n}`);
    const { entries } = readUnbonding(chain.state, account(5), account(1))!;
    expect(entries.map(({ balance, initialBalance }) => [balance, initialBalance])).toEqual([
      ['500000', '500000'],
      ['950000', '1000000'],
    ]);
    const [slash] = readSlashes(chain.state, account(1));
    expect(slash!.event.fraction).toBe(`${5n * 10n ** 16n}`);
    expect(events.filter(({ type }) => type === 'slash')).toHaveLength(2);
    expect(info(chain, 1)).toMatchObject({ tombstoned: true, jailedUntil: { seconds: 253_402_300_799n } });
    chain.seconds += 10n ** 6n;
    expect(await chain.run(1, messages.unjail(1))).toMatchObject({ code: 4, codespace: 'slashing' });
    // Once is enough.
    const again = units(chain);
    await chain.block([], { misbehavior: [doubleSign(1, { height: 6, power: 14n })] });
    expect(units(chain)).toBe(again);
    const { store, prefix, decode } = evidenceRows();
    const evidence = [...chain.state.iterate(store, prefixRange(prefix))];
    expect(evidence.map(([key, value]) => decode(key, value))).toEqual([
      {
        height: 5n,
        time: { seconds: 1_700_000_000n, nanos: 0 },
        power: 14n,
        consensusAddress: toBech32(consensusAddress(1), 'chainvalcons'),
      },
    ]);
    const hash = bytesToHex(sha256(evidence[0]![1]));
    expect(bytesToHex(evidence[0]![0].subarray(1))).toBe(hash);
    const queries = queriesOn(chain);
    const ask = async (name: string, request: Uint8Array) =>
      (await queries.answer(`/cosmos.evidence.v1beta1.Query/${name}`, request)).bytes;
    const all = QueryAllEvidenceResponse.decode(await ask('AllEvidence', new Uint8Array(0)));
    expect(all).toMatchObject({
      evidence: [{ typeUrl: '/cosmos.evidence.v1beta1.Equivocation', value: evidence[0]![1] }],
      pagination: { total: 1n },
    });
    const one = (request: Partial<QueryEvidenceRequest>) =>
      ask('Evidence', QueryEvidenceRequest.encode(QueryEvidenceRequest.fromPartial(request)).finish());
    for (const request of [{ hash: hash.toUpperCase() }, { evidenceHash: hexToBytes(hash) }]) {
      expect(QueryEvidenceResponse.decode(await one(request)).evidence).toEqual(all.evidence[0]);
    }
    await expect(one({})).rejects.toMatchObject({ code: 'QUERY_INVALID_ARGUMENT' });
    await expect(one({ hash: `${hash}00` })).rejects.toMatchObject({ code: 'QUERY_INVALID_ARGUMENT' });
    await expect(one({ hash: '00'.repeat(32) })).rejects.toMatchObject({ code: 'QUERY_NOT_FOUND' });
  });

  it('takes first what unbonds from where redelegated stake went', async () => {
    const chain = await ValidatorChain.start({ stakes: [10 * MILLION, 10 * MILLION], slashing });
    await chain.run(5, messages.delegate(5, 1, 2 * MILLION)); // 2
    await chain.run(5, messages.redelegate(5, { from: 1, to: 0 }, MILLION)); // 3
    await chain.run(5, messages.undelegate(5, 0, 980_000)); // 4
    await chain.block([], { misbehavior: [doubleSign(1, { height: 3, power: 12n })] });
    // 50,000 of the 600,000 owed are the redelegation's, and all of them unbond.
    expect(readUnbonding(chain.state, account(5), account(0))!.entries[0]!.balance).toBe('930000');
    expect(chain.validator(0)!.tokens).toBe('10020000');
    expect(chain.validator(1)!.tokens).toBe('10450000');
  });

  it('is slashed while it unbonds, and not once it is unbonded', async () => {
    const chain = await ValidatorChain.start({
      stakes: [10 * MILLION, 5 * MILLION, 4 * MILLION],
      params: { max_validators: 2, unbonding_time: '5s' },
      slashing,
    });
    await chain.run(5, messages.delegate(5, 2, 2 * MILLION));
    expect(chain.validator(1)).toMatchObject({ status: UNBONDING });
    await chain.block([], { misbehavior: [doubleSign(1, { height: 1, power: 5n })] });
    expect(chain.validator(1)).toMatchObject({ tokens: '4750000', jailed: true });
    expect(readStakingPool(chain.state)).toEqual({ bonded: 16_000_000n, notBonded: 4_750_000n });
    const other = await ValidatorChain.start({
      stakes: [10 * MILLION, 5 * MILLION, 4 * MILLION],
      params: { max_validators: 2, unbonding_time: '1s' },
      slashing,
    });
    await other.run(5, messages.delegate(5, 2, 2 * MILLION));
    await other.block();
    await other.block([], { misbehavior: [doubleSign(1, { height: 1, power: 5n })] });
    expect(other.validator(1)).toMatchObject({ status: 1, tokens: '5000000', jailed: false });
  });
});

describe('a replay of a block', () => {
  it('sees what was slashed before its transactions, on state whose ranges are read ahead', async () => {
    const chain = await ValidatorChain.start({ stakes: [10 * MILLION, 10 * MILLION], slashing });
    await chain.run(5, messages.delegate(5, 1, 4_500_000));
    await chain.run(5, messages.undelegate(5, 1, MILLION));
    const unbonding = () => readUnbonding(chain.state, account(5), account(1))!.entries[0]!.balance;
    const abi = new Interface([
      'function unbondingDelegation(address delegator, string validatorAddress) view returns (tuple(string, string, tuple(int64, int64, string, string balance)[] entries))',
    ]);
    const { evmAddress } = testAccount(5);
    const asked = abi.encodeFunctionData('unbondingDelegation', [
      `0x${Buffer.from(evmAddress).toString('hex')}`,
      operatorText(1),
    ]);
    const to = hexToBytes('0000000000000000000000000000000000001005');
    const txs = [
      signRaw(testAccount(5), { nonce: 0n, to, gasLimit: 1_000_000n, data: hexToBytes(asked.slice(2)) }),
    ];
    const punished = { misbehavior: [doubleSign(1, { height: 3, power: 14n })] };
    // As a job has it: points at once, ranges asynchronously and of the state before the block.
    const source = {
      async *iterate(store: string, _version: number, range: Parameters<typeof chain.state.iterate>[1]) {
        yield* chain.state.iterate(store, range);
      },
    };
    const context = { ...chain.nextContext(), ...punished };
    let attempts = 0;
    const replayed = await new RangesAhead(source as never, { version: 1 }).run((ranges) => {
      attempts++;
      const state = stateOn({ version: 1, ranges }, () => chain.state);
      return chain.chain.execution.replayTransactions({ context, txs }, state);
    });
    expect(attempts).toBeGreaterThan(1);
    expect(unbonding()).toBe('1000000');
    const outcome = await chain.block(txs, punished);
    expect([unbonding(), outcome.results[0]!.log]).toEqual(['950000', '']);
    expect(replayed.receipts).toEqual(outcome.receipts);
    const [shown] = abi.decodeFunctionResult('unbondingDelegation', replayed.receipts[0]!.returnData);
    expect(shown[2][0].balance).toBe('950000');
  });
});

describe('a block that claims to be ages ahead', () => {
  it('refuses what would unbond after the last time that can be told, and ends well', async () => {
    const chain = await ValidatorChain.start({ stakes: [10 * MILLION, MILLION], slashing });
    const undelegation = await chain.sign(0, messages.undelegate(0, 0, MILLION));
    for (const seconds of [253_402_300_000n, 10n ** 15n, 2n ** 62n]) {
      const context = { ...chain.nextContext(), time: { seconds, nanos: 1 } };
      const run = { context, txs: [undelegation] };
      const { results } = await chain.chain.execution.runBlock(run, chain.state);
      expect(results[0]).toMatchObject({ code: 18, codespace: 'sdk' });
      expect(results[0]!.log).toContain('past the year 9999');
    }
    chain.absent.add(1);
    await chain.blocks(9);
    await chain.block([], { time: { seconds: 10n ** 15n, nanos: 0 } });
    expect(info(chain, 1).jailedUntil.seconds).toBe(253_402_300_799n);
    expect(chain.validator(1)).toMatchObject({ jailed: true });
  });
});
