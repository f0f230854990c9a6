import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { bytesToHex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messages } from '../../node/src/client/index.ts';
import { readSupplyWei } from '../../node/src/ledger/index.ts';
import { sha256, toBech32, bytesToHex as toHex } from '../../node/src/primitives/index.ts';
import { SENDER_ADDRESSES, signSends } from '../bench/ledgerSends.ts';
import { accountNumberOf } from '../bench/ledgerThroughput.ts';
import { SENDERS, signTransfers } from '../bench/transfers.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { openHome } from '../support/openHome.ts';
import { rpcBatch, rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

/** Transactions of each VM. */
const COUNT = Number(process.env.MIXED_LOAD_TRANSACTIONS ?? 80) / 2;
/** Most of each VM that wait for a block at once; the mempool holds 5,000. */
const WAITING = 1000;
const BATCH = 10;
const EVM_MESSAGE = '/chain.evm.v1.MsgEVMTransaction';
const SEND_MESSAGE = '/cosmos.bank.v1beta1.MsgSend';

let root: string;
let node: DevNode;
let validator: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'mixed-load-'));
  const args = [
    '--set',
    'evm.enabled_legacy_chain_apis=chain_getBlockTransactionCountByNumber,chain2_getBlockTransactionCountByNumber',
  ];
  node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 150, args });
  const answer = await rest<{ validators: { operator_address: string }[] }>(
    '/cosmos/staking/v1beta1/validators',
  );
  validator = answer.validators[0]!.operator_address;
});
afterAll(async () => {
  await node?.kill9();
  rmSync(root, { recursive: true, force: true });
});

async function rest<T>(path: string): Promise<T> {
  return (await (await fetch(node.restUrl + path)).json()) as T;
}

async function consensus<T>(path: string): Promise<T> {
  return ((await (await fetch(`${node.consensusUrl}/${path}`)).json()) as { result: T }).result;
}

/** Every fifth fails in its block, every tenth stakes; the others go back and forth among few accounts. */
function messageAt(position: number, from: string) {
  const coin = (amount: string) => ({ denom: 'usei', amount });
  if (position % 10 === 3) return messages.delegate(from, validator, coin('1000'));
  const to =
    position % 3 === 0
      ? SENDER_ADDRESSES[(position + 1) % SENDERS]!
      : toBech32(Buffer.alloc(20, 1 + (position % 7)));
  return messages.send(from, to, [coin(position % 5 === 1 ? '9'.repeat(20) : String(1 + (position % 1000)))]);
}

async function submitLedger(raws: readonly Uint8Array[]): Promise<void> {
  for (let next = 0; next < raws.length; next += BATCH) {
    const batch = raws.slice(next, next + BATCH).map((raw, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'broadcast_tx_sync',
      params: { tx: Buffer.from(raw).toString('base64') },
    }));
    const response = await fetch(node.consensusUrl, { method: 'POST', body: JSON.stringify(batch) });
    const answers = (await response.json()) as { result: { code: number; log: string } }[];
    for (const { result } of answers) expect(result).toMatchObject({ code: 0 });
    await room();
  }
}

async function submitTransfers(raws: readonly Uint8Array[]): Promise<void> {
  for (let next = 0; next < raws.length; next += BATCH) {
    const batch = raws.slice(next, next + BATCH);
    await rpcBatch(
      node.url,
      batch.map((raw) => ['eth_sendRawTransaction', [bytesToHex(raw)]] as const),
    );
    await room();
  }
}

async function waiting(): Promise<number> {
  return Number((await consensus<{ total: string }>('num_unconfirmed_txs')).total);
}

async function room(): Promise<void> {
  await until('the pool has room', async () => (await waiting()) < WAITING, 120_000);
}

interface Recount {
  readonly hashes: string[];
  readonly failed: number;
  /** Transactions of the EVM, and bank sends that were carried out, by height. */
  readonly evm: Map<number, number>;
  readonly sends: Map<number, number>;
}

/** What plain decoding of all blocks counts. */
async function recount(latest: number): Promise<Recount> {
  const found = { hashes: [] as string[], failed: 0, evm: new Map(), sends: new Map() };
  for (let height = 1; height <= latest; height++) {
    const { block } = await consensus<{ block: { data: { txs: string[] } } }>(`block?height=${height}`);
    const { txs_results: results } = await consensus<{ txs_results: { code: number }[] | null }>(
      `block_results?height=${height}`,
    );
    for (const [index, text] of block.data.txs.entries()) {
      const raw = Buffer.from(text, 'base64');
      const types = TxBody.decode(TxRaw.decode(raw).bodyBytes).messages.map(({ typeUrl }) => typeUrl);
      const { code } = results![index]!;
      found.hashes.push(toHex(sha256(raw)));
      if (code !== 0) found.failed++;
      const kind =
        types[0] === EVM_MESSAGE
          ? found.evm
          : types[0] === SEND_MESSAGE && code === 0
            ? found.sends
            : undefined;
      kind?.set(height, (kind.get(height) ?? 0) + 1);
    }
  }
  return found;
}

it('a load of both VMs on the same accounts loses nothing, and keeps the supply', async () => {
  const evmChainId = BigInt(await rpcCall<string>(node.url, 'eth_chainId'));
  const supply = await rest('/cosmos/bank/v1beta1/supply');
  const accountNumbers = await Promise.all(SENDER_ADDRESSES.map((address) => accountNumberOf(node, address)));
  const ledger = signSends({ from: 0, count: COUNT, accountNumbers, messageAt });
  const transfers = signTransfers({ evmChainId, from: 0, count: COUNT });
  await Promise.all([submitLedger(ledger), submitTransfers(transfers)]);
  await until('the pool is empty', async () => (await waiting()) === 0, 120_000);
  const latest = Number(await rpcCall<string>(node.url, 'eth_blockNumber'));
  const found = await recount(latest);
  const total = found.hashes.length;
  expect(new Set(found.hashes).size).toBe(total);
  expect(total).toBe(2 * COUNT);
  for (const raw of ledger) expect(found.hashes).toContain(toHex(sha256(raw)));
  expect(found.failed).toBe(
    ledger.filter((_raw, position) => position % 10 !== 3 && position % 5 === 1).length,
  );
  expect(await rest('/cosmos/bank/v1beta1/supply')).toEqual(supply);
  for (let height = 1; height <= latest; height++) {
    const evm = found.evm.get(height) ?? 0;
    const counts = await Promise.all(
      ['eth', 'chain', 'chain2'].map((namespace) =>
        rpcCall<string>(node.url, `${namespace}_getBlockTransactionCountByNumber`, [
          `0x${height.toString(16)}`,
        ]),
      ),
    );
    expect(counts.map(Number), `block ${height}`).toEqual([evm, evm, evm + (found.sends.get(height) ?? 0)]);
  }
  await node.stop();
  const { chain, close } = await openHome(join(root, 'home'), { split: false });
  const state = chain.newestState;
  let wei = 0n;
  for (const [key, value] of state.iterate('bank')) {
    const isUnits = key[0] === 0x02 && Buffer.from(key.subarray(2 + key[1]!)).toString() === 'usei';
    if (isUnits) wei += BigInt(Buffer.from(value).toString()) * 10n ** 12n;
    if (key[0] === 0x04) wei += BigInt(Buffer.from(value).toString());
  }
  expect(wei).toBe(readSupplyWei(state));
  await close();
}, 600_000);
