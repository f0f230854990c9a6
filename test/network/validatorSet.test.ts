import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EncodeObject } from '@cosmjs/proto-signing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { precommitSignBytes } from '../../node/src/comet/index.ts';
import { DEVELOPMENT_MNEMONIC, deriveAccounts } from '../../node/src/keys/index.ts';
import { sha256, toBech32 } from '../../node/src/primitives/index.ts';
import { COMETBFT_PROGRAM } from '../../scripts/buildCometbft.ts';
import { missingCometbft } from '../support/cometbft.ts';
import { freeRange } from '../support/freePort.ts';
import { signLedger } from '../support/ledgerClient.ts';
import { leftOutIf } from '../support/required.ts';
import { until } from '../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into.
type Json = any;

const leftOut = leftOutIf('validators under CometBFT', missingCometbft());
const CHAIN_ID = 'localnet-1';
const NAMES = ['validator0', 'validator1', 'validator2', 'rpc0'];
const BASE_PORT = await freeRange(10 * NAMES.length);
const RPC = `http://127.0.0.1:${BASE_PORT + 31}`;
const REST = `http://127.0.0.1:${BASE_PORT + 33}`;
/** Ten funded accounts, and behind them the operators. */
const accounts = deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: 13 });
const operator = (seed: number) => toBech32(accounts[10 + seed]!.chainAddress, 'chainvaloper');

let root: string;
const running = new Map<string, ChildProcess>();

function startNode(name: string): void {
  const args = ['node/bin/chaind.js', 'start', '--home', join(root, 'net', name)];
  running.set(name, spawn(process.execPath, args, { stdio: 'ignore' }));
}

async function stopNode(name: string): Promise<void> {
  const child = running.get(name);
  running.delete(name);
  if (!child || child.exitCode !== null) return;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await exited;
}

const get = async (url: string): Promise<Json> => (await fetch(url)).json();
const comet = async (path: string): Promise<Json> => (await get(`${RPC}/${path}`)).result;
const heightOf = async (): Promise<number> => Number((await comet('status')).sync_info.latest_block_height);
const powers = async (): Promise<number[]> =>
  (await comet('validators')).validators.map((one: Json) => Number(one.voting_power));
const validator = async (seed: number): Promise<Json> =>
  (await get(`${REST}/cosmos/staking/v1beta1/validators/${operator(seed)}`)).validator;

async function send(by: number, message: EncodeObject): Promise<void> {
  const { account } = await get(
    `${REST}/cosmos/auth/v1beta1/accounts/${toBech32(accounts[by]!.chainAddress)}`,
  );
  const tx = await signLedger(accounts[by]!, [message], {
    chainId: CHAIN_ID,
    accountNumber: Number(account.account_number),
    sequence: Number(account.sequence),
    fee: { amount: [{ denom: 'usei', amount: '20000' }], gas: '1000000' },
  });
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'broadcast_tx_sync',
    params: { tx: Buffer.from(tx).toString('base64') },
  });
  const { result } = (await (await fetch(RPC, { method: 'POST', body })).json()) as Json;
  expect([result.code, result.log]).toEqual([0, '']);
  const found = await until(
    'the block',
    async () => (await comet(`tx?hash=0x${result.hash}`))?.tx_result,
    90_000,
  );
  expect([found.code, found.log]).toEqual([0, '']);
}

/** Two precommits of one validator for different blocks of one height, as CometBFT takes them for evidence. */
async function doubleSign(name: string): Promise<Json> {
  const height = (await heightOf()) - 3;
  const { header } = (await comet(`commit?height=${height}`)).signed_header;
  const set: Json[] = (await comet(`validators?height=${height}`)).validators;
  const key = JSON.parse(readFileSync(join(root, 'net', name, 'config/priv_validator_key.json'), 'utf8'));
  const seed = Buffer.from(key.priv_key.value, 'base64').subarray(0, 32);
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const index = set.findIndex(({ address }) => address === key.address);
  const seconds = Math.floor(Date.parse(header.time) / 1000);
  const voteFor = (hash: Uint8Array) => {
    const hex = Buffer.from(hash).toString('hex').toUpperCase();
    const blockId = { hash, partsTotal: 1, partsHash: hash };
    const time = { seconds: BigInt(seconds), nanos: 0 };
    const bytes = precommitSignBytes(CHAIN_ID, { height, round: 0, blockId, time });
    return {
      type: 2,
      height: String(height),
      round: 0,
      block_id: { hash: hex, parts: { total: 1, hash: hex } },
      timestamp: new Date(seconds * 1000).toISOString().replace('.000Z', 'Z'),
      validator_address: key.address,
      validator_index: index,
      signature: sign(null, bytes, privateKey).toString('base64'),
    };
  };
  const hashes = [sha256(Uint8Array.of(1)), sha256(Uint8Array.of(2))].sort(Buffer.compare);
  const [voteA, voteB] = hashes.map(voteFor);
  const total = set.reduce((sum, one) => sum + Number(one.voting_power), 0);
  return {
    type: 'tendermint/DuplicateVoteEvidence',
    value: {
      vote_a: voteA,
      vote_b: voteB,
      TotalVotingPower: String(total),
      ValidatorPower: set[index].voting_power,
      Timestamp: header.time,
    },
  };
}

describe('validators under CometBFT', leftOut, () => {
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'validator-set-'));
    const flags = ['--validators', '3', '--rpc', '1', '--block-time', '300', '--init-only', '--fresh'];
    execFileSync(process.execPath, [
      'node/bin/chaind.js',
      'localnet',
      '--directory',
      join(root, 'net'),
      ...flags,
      '--base-port',
      String(BASE_PORT),
      '--chain-id',
      CHAIN_ID,
      '--cometbft',
      COMETBFT_PROGRAM,
    ]);
    for (const name of NAMES) {
      const file = join(root, 'net', name, 'config/genesis.json');
      const genesis = JSON.parse(readFileSync(file, 'utf8'));
      genesis.app_state.slashing = {
        // Whoever is up on a busy machine misses a vote now and then, and never all of a window.
        params: {
          signed_blocks_window: '20',
          min_signed_per_window: '0.05',
          downtime_jail_duration: '1s',
        },
      };
      writeFileSync(file, JSON.stringify(genesis));
      startNode(name);
    }
    await until('the first blocks', async () => (await heightOf()) > 2, 180_000);
  });

  afterAll(async () => {
    await Promise.all(NAMES.map(stopNode));
    rmSync(root, { recursive: true, force: true });
  });

  it('sign from genesis on by their transactions there, and by their stake from then on', async () => {
    expect(await powers()).toEqual([10, 10, 10]);
    await send(0, {
      typeUrl: '/cosmos.staking.v1beta1.MsgDelegate',
      value: {
        delegatorAddress: toBech32(accounts[0]!.chainAddress),
        validatorAddress: operator(0),
        amount: { denom: 'usei', amount: '40000000' },
      },
    });
    await until('the new power', async () => (await powers())[0] === 50, 90_000);
  });

  it('are slashed and jailed when they are down, and come back', async () => {
    await stopNode('validator2');
    await until('the set without it', async () => (await powers()).length === 2, 120_000);
    expect(await validator(2)).toMatchObject({ jailed: true, tokens: '9900000' });
    startNode('validator2');
    const url = `http://127.0.0.1:${BASE_PORT + 21}/status`;
    const isUp = async () =>
      Number((await get(url)).result.sync_info.latest_block_height) + 3 > (await heightOf());
    await until('the validator to catch up', isUp, 120_000);
    await send(12, { typeUrl: '/cosmos.slashing.v1beta1.MsgUnjail', value: { validatorAddr: operator(2) } });
    await until('the set with it', async () => (await powers()).length === 3, 90_000);
    // 9,900,000 units are one unit of power less.
    expect(await powers()).toEqual([50, 10, 9]);
  });

  it('are tombstoned on evidence that they signed twice', async () => {
    const evidence = await doubleSign('validator1');
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'broadcast_evidence',
      params: { evidence },
    });
    const answer = (await (await fetch(RPC, { method: 'POST', body })).json()) as Json;
    expect(answer.error).toBeUndefined();
    await until('the set without it', async () => (await powers()).length === 2, 120_000);
    expect(await validator(1)).toMatchObject({ jailed: true, tokens: '9500000' });
    const { info } = await get(`${REST}/cosmos/slashing/v1beta1/signing_infos`);
    expect(info.filter((one: Json) => one.tombstoned)).toHaveLength(1);
    const recorded = await get(`${REST}/cosmos/evidence/v1beta1/evidence`);
    const { height } = evidence.value.vote_a;
    expect(recorded.evidence).toMatchObject([{ '@type': '/cosmos.evidence.v1beta1.Equivocation', height }]);
    // Every node came to the same state all along, or the chain would stand still.
    const before = await heightOf();
    await until('more blocks', async () => (await heightOf()) > before + 2, 90_000);
  });
});
