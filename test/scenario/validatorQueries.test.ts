import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EncodeObject } from '@cosmjs/proto-signing';
import { type Comet38Client, connectComet } from '@cosmjs/tendermint-rpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validatorSetHash } from '../../node/src/comet/index.ts';
import { DEVELOPMENT_MNEMONIC, deriveAccounts } from '../../node/src/keys/index.ts';
import { bytesToHex, toBech32 } from '../../node/src/primitives/index.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { signLedger } from '../support/ledgerClient.ts';
import { until } from '../support/until.ts';
import { consensusKey, decimal } from '../support/validatorChain.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into.
type Json = Record<string, any>;

const MILLION = 1_000_000;
const accounts = deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: 5 });
const chainText = (by: number) => toBech32(accounts[by]!.chainAddress);
const operatorText = (by: number) => toBech32(accounts[by]!.chainAddress, 'chainvaloper');
const coin = (amount: number) => ({ denom: 'usei', amount: String(amount) });
const FEE = { amount: [coin(10_000)], gas: '1000000' };

let root: string;
let node: DevNode;
let client: Comet38Client;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'validators-'));
  node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 150 });
  client = (await connectComet(node.consensusUrl)) as Comet38Client;
}, 120_000);

afterAll(async () => {
  client?.disconnect();
  await node?.stop();
  rmSync(root, { recursive: true, force: true });
});

async function rest(path: string): Promise<Json> {
  const response = await fetch(`${node.restUrl}${path}`);
  return (await response.json()) as Json;
}

const blocksAfter = (height: number) =>
  until('more blocks', async () => (await client.status()).syncInfo.latestBlockHeight > height);

/** Sends one staking message and waits for its block; returns the height. */
async function send(by: number, name: string, value: Record<string, unknown>): Promise<number> {
  const { account } = await rest(`/cosmos/auth/v1beta1/accounts/${chainText(by)}`);
  const message: EncodeObject = { typeUrl: `/cosmos.staking.v1beta1.${name}`, value };
  const tx = await signLedger(accounts[by]!, [message], {
    accountNumber: Number(account.account_number),
    sequence: Number(account.sequence),
    fee: FEE,
  });
  const { checkTx, txResult, height } = await client.broadcastTxCommit({ tx });
  expect([checkTx.code, txResult?.code, txResult?.log]).toEqual([0, 0, '']);
  return height;
}

const delegate = (by: number, to: number, amount: number) =>
  send(by, 'MsgDelegate', {
    delegatorAddress: chainText(by),
    validatorAddress: operatorText(to),
    amount: coin(amount),
  });

const create = (by: number, amount: number) =>
  send(by, 'MsgCreateValidator', {
    description: { moniker: `made ${by}`, identity: '', website: '', securityContact: '', details: '' },
    commission: { rate: decimal('0.1'), maxRate: decimal('0.2'), maxChangeRate: decimal('0.01') },
    minSelfDelegation: '1',
    validatorAddress: operatorText(by),
    pubkey: {
      typeUrl: '/cosmos.crypto.ed25519.PubKey',
      value: Uint8Array.of(0x0a, 32, ...consensusKey(by)),
    },
    value: coin(amount),
  });

describe('a chain with several validators', () => {
  it('answers the staking queries, a page at a time', async () => {
    for (const by of [1, 2, 3]) await create(by, by * MILLION);
    await delegate(4, 1, 3 * MILLION);
    await delegate(4, 2, 2 * MILLION);
    await delegate(4, 0, 5 * MILLION);
    await send(4, 'MsgBeginRedelegate', {
      delegatorAddress: chainText(4),
      validatorSrcAddress: operatorText(0),
      validatorDstAddress: operatorText(2),
      amount: coin(MILLION),
    });
    await send(4, 'MsgUndelegate', {
      delegatorAddress: chainText(4),
      validatorAddress: operatorText(0),
      amount: coin(MILLION),
    });
    const path = '/cosmos/staking/v1beta1';
    const first = await rest(`${path}/validators?pagination.limit=3&pagination.count_total=true`);
    expect(first.validators).toHaveLength(3);
    expect(first.pagination.total).toBe('4');
    const key = encodeURIComponent(first.pagination.next_key);
    const second = await rest(`${path}/validators?pagination.limit=3&pagination.key=${key}`);
    expect(second.pagination.next_key).toBeNull();
    const all = [...first.validators, ...second.validators];
    expect(new Set(all.map((one) => one.operator_address))).toEqual(new Set([0, 1, 2, 3].map(operatorText)));
    const bonded = await rest(`${path}/validators?status=BOND_STATUS_BONDED`);
    expect(bonded.validators.map((one: Json) => one.operator_address)).toEqual([operatorText(0)]);
    const unbonded = await rest(`${path}/validators?status=BOND_STATUS_UNBONDED&pagination.limit=2`);
    expect(unbonded.validators).toHaveLength(2);
    const mine = await rest(`${path}/delegations/${chainText(4)}?pagination.limit=2`);
    expect(mine.delegation_responses).toHaveLength(2);
    expect(mine.pagination.next_key).not.toBeNull();
    const { validators } = await rest(`${path}/delegators/${chainText(4)}/validators`);
    expect(validators).toHaveLength(3);
    const at2 = await rest(`${path}/validators/${operatorText(2)}/delegations`);
    expect(at2.delegation_responses.map((one: Json) => one.balance.amount).sort()).toEqual([
      '2000000',
      '3000000',
    ]);
    const { redelegation_responses: moved } = await rest(`${path}/delegators/${chainText(4)}/redelegations`);
    expect(moved).toMatchObject([
      { redelegation: { validator_dst_address: operatorText(2) }, entries: [{ balance: '1000000' }] },
    ]);
    const leaving = await rest(`${path}/validators/${operatorText(0)}/unbonding_delegations`);
    expect(leaving.unbonding_responses).toMatchObject([{ entries: [{ balance: '1000000' }] }]);
    const { pool } = await rest(`${path}/pool`);
    expect(pool).toEqual({ bonded_tokens: '13000000', not_bonded_tokens: '13000000' });
    const { info } = await rest('/cosmos/slashing/v1beta1/signing_infos');
    expect(info).toHaveLength(1);
    const outstanding = await rest(
      `/cosmos/distribution/v1beta1/validators/${operatorText(0)}/outstanding_rewards`,
    );
    expect(Number(outstanding.rewards.rewards[0].amount)).toBeGreaterThan(0);
    expect(await rest(`/cosmos/distribution/v1beta1/delegators/${chainText(4)}/rewards`)).toMatchObject({
      rewards: [{}, {}, {}],
    });
  });

  it('changes its set two blocks after the stake, in headers, both RPCs and at past heights', async () => {
    // What the last test changed must have come through.
    await blocksAfter((await client.status()).syncInfo.latestBlockHeight + 2);
    const before = (await client.validatorsAll()).validators[0]!.votingPower;
    const height = await delegate(3, 0, 4 * MILLION);
    await blocksAfter(height + 3);
    for (let at = height; at <= height + 3; at++) {
      const { validators } = await client.validatorsAll(at);
      const power = at < height + 2 ? before : before + 4n;
      expect(validators.map(({ votingPower }) => votingPower)).toEqual([power]);
      const { header } = await client.commit(at);
      const hash = (height: bigint) =>
        bytesToHex(validatorSetHash([{ publicKey: validators[0]!.pubkey!.data, power: height }]));
      expect(bytesToHex(header.validatorsHash)).toBe(hash(power));
      expect(bytesToHex(header.nextValidatorsHash)).toBe(hash(at < height + 1 ? before : before + 4n));
      const grpc = await rest(`/cosmos/base/tendermint/v1beta1/validatorsets/${at}`);
      expect(grpc.validators.map((one: Json) => one.voting_power)).toEqual([String(power)]);
    }
    const results = await client.blockResults(height);
    expect(results.validatorUpdates.map(({ votingPower }) => votingPower)).toEqual([before + 4n]);
    const info = async (at: number) => (await rest(`/cosmos/staking/v1beta1/historical_info/${at}`)).hist;
    expect((await info(height)).valset[0].tokens).toBe(String(before * 1_000_000n));
    expect((await info(height + 1)).valset[0].tokens).toBe(String((before + 4n) * 1_000_000n));
    expect((await info(height)).header.height).toBe(String(height));
    expect(await rest('/cosmos/staking/v1beta1/historical_info/999999')).toMatchObject({ code: 5 });
  });

  it('shows the events of blocks, and finds blocks by them', async () => {
    const height = await delegate(3, 1, 5);
    await blocksAfter(height + 1);
    const { finalizeBlockEvents } = await client.blockResults(height + 1);
    const rewards = finalizeBlockEvents.find(({ type }) => type === 'rewards')!;
    expect(rewards.attributes.at(-1)).toMatchObject({ key: 'mode', value: 'BeginBlock' });
    const found = await client.blockSearch({
      query: `rewards.validator='${operatorText(0)}' AND block.height=${height + 1}`,
    });
    expect(found.blocks.map(({ block }) => block.header.height)).toEqual([height + 1]);
    expect((await client.blockSearch({ query: "rewards.validator='nobody'" })).totalCount).toBe(0);
  });

  it('says that the embedded engine keeps the others out', () => {
    expect(node.output()).toContain('stays unbonded');
  });
});
