import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CometProcess, missingCometbft, startKvstore, startLight } from '../support/cometbft.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { type Forwarder, openForwarder } from '../support/forwarder.ts';
import { wrappedTransfer } from '../support/ledgerTransfer.ts';
import { leftOutIf } from '../support/required.ts';
import { shapeOf } from '../support/shape.ts';
import { until } from '../support/until.ts';

const FOLLOWED_BLOCKS = 50;

let root: string;
let ours: DevNode;
let theirs: CometProcess;
let ourTx: Uint8Array;
const theirTx = Buffer.from('name=satoshi');

const leftOut = leftOutIf('the consensus RPC against CometBFT itself', missingCometbft());

async function get(url: string, path: string) {
  const answer = await fetch(`${url}/${path}`);
  return { status: answer.status, body: (await answer.json()) as { result?: unknown; error?: unknown } };
}

async function post(url: string, body: string) {
  const answer = await fetch(url, { method: 'POST', body });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? '' : (JSON.parse(text) as unknown) };
}

const height = async (url: string): Promise<number> => {
  const { body } = await get(url, 'status');
  return Number(
    (body.result as { sync_info: { latest_block_height: string } }).sync_info.latest_block_height,
  );
};

const ask = (method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe('the consensus RPC beside CometBFT itself', leftOut, () => {
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'consensus-rpc-'));
    ours = await startDevNode({ home: join(root, 'ours'), blockTimeMs: 50 });
    theirs = await startKvstore(join(root, 'theirs'));
    ourTx = await wrappedTransfer(ours.url);
    // Block 2 is compared, which is empty in both.
    for (const url of [ours.consensusUrl, theirs.url]) {
      await until('two blocks', async () => (await height(url)) >= 2);
    }
    const commits = await Promise.all([
      get(ours.consensusUrl, `broadcast_tx_commit?tx=0x${Buffer.from(ourTx).toString('hex')}`),
      get(theirs.url, `broadcast_tx_commit?tx=0x${theirTx.toString('hex')}`),
    ]);
    expect(commits.map(({ status }) => status)).toEqual([200, 200]);
    for (const url of [ours.consensusUrl, theirs.url]) {
      await until('five blocks', async () => (await height(url)) > 5);
    }
  });
  afterAll(async () => {
    await Promise.all([ours?.kill9(), theirs?.stop()]);
    rmSync(root, { recursive: true, force: true });
  });

  it.each([
    'health',
    'status',
    'blockchain?minHeight=2&maxHeight=3',
    'block?height=3',
    'block?height="3"',
    'block_by_hash?hash=0x00',
    'header?height=3',
    'header',
    'header_by_hash?hash=0x00',
    'commit?height=3',
    'commit',
    'block_results?height=2',
    'validators',
    'validators?height=2&page=1&per_page=500',
    'consensus_params?height=2',
    'unconfirmed_txs?limit=5',
    'num_unconfirmed_txs',
    'abci_info',
    'genesis_chunked?chunk=0',
    'block_search?query="block.height<3"&order_by="asc"',
    'tx_search?query="tx.height>1"&prove=true',
    'tx_search?query="app.nothing=%27x%27"',
  ])('GET /%s has the same members in the same encodings', async (path) => {
    const [mine, expected] = await Promise.all([get(ours.consensusUrl, path), get(theirs.url, path)]);
    expect(mine.status).toBe(expected.status);
    expect(shapeOf(comparable(mine.body))).toEqual(shapeOf(comparable(expected.body)));
  });

  it.each([
    'block?height=0',
    'block?height=-1',
    'block?height=abc',
    'block?height=0x12',
    'block?height=""',
    'block?height=99999999999999999999',
    'validators?page=2',
    'validators?page=0',
    'tx?hash=0x00',
    'tx?hash=zz',
    'tx?hash="zz"',
    'check_tx?tx=0x00zz',
    'check_tx?tx=0x0',
    'check_tx?tx=abc',
    'tx_search',
    'tx_search?query="foo"',
    'tx_search?query="app.key%20%3D"',
    `tx_search?query="a.b='c"`,
    'tx_search?query="tx.height>5"&order_by="x"',
    'tx_search?query=5',
    'tx_search?query="tx.height<9"&prove=5',
    'block_search?query="block.height<3"&page=9',
    'blockchain?minHeight=5&maxHeight=2',
    'blockchain?minHeight=-5',
    'genesis_chunked?chunk=5',
    'genesis_chunked?chunk=-1',
    'broadcast_evidence',
    'broadcast_evidence?evidence=1',
    'subscribe?query="x"',
  ])('GET /%s fails in the same words', async (path) => {
    const [mine, expected] = await Promise.all([get(ours.consensusUrl, path), get(theirs.url, path)]);
    expect(mine).toEqual(expected);
    expect(mine.body.error).toBeDefined();
  });

  it.each([
    ask('health', {}),
    ask('health', undefined),
    ask('header', { height: 2 }),
    ask('header', { height: 'abc' }),
    ask('header', { height: true }),
    ask('header', { height: '1.5' }),
    ask('header', ['2', '3']),
    ask('header', 'x'),
    ask('header', []),
    ask('nope', []),
    ask('subscribe', []),
    ask('tx', { hash: 'zz' }),
    ask('tx', { hash: 'AAAA' }),
    ask('tx', { hash: 5 }),
    ask('header_by_hash', { hash: 'zz' }),
    ask('header_by_hash', { hash: 'AAAA' }),
    ask('broadcast_tx_sync', { tx: '!!' }),
    ask('tx_search', { query: 5 }),
    ask('tx_search', { query: 'tx.height>5', prove: 'x' }),
    ask('genesis_chunked', { chunk: '7' }),
    '{"jsonrpc":"2.0","method":"health"}',
    '{"jsonrpc":"2.0","id":true,"method":"health"}',
    '{"jsonrpc":"2.0","id":1.7,"method":"health"}',
    '{"jsonrpc":"2.0","id":"a","method":"health"}',
    '{bad',
    '"x"',
    '5',
    'null',
    '[]',
    `[${ask('health', [])},${ask('nope', [])}]`,
    `[${ask('health', [])}]`,
    `[${Array(11).fill(ask('health', [])).join(',')}]`,
  ])('POST %s is answered alike', async (body) => {
    const [mine, expected] = await Promise.all([post(ours.consensusUrl, body), post(theirs.url, body)]);
    expect(mine).toEqual(expected);
  });

  it.each(['consensus_state', 'dump_consensus_state'])('GET /%s has the same members', async (path) => {
    // What they hold depends on the step that a round is in.
    const names = async (url: string) => {
      const { result } = (await get(url, path)).body as { result: { round_state: object } };
      return [Object.keys(result), Object.keys(result.round_state)];
    };
    expect(await names(ours.consensusUrl)).toEqual(await names(theirs.url));
  });

  it('pushes events in the same shape', async () => {
    const queries = ["tm.event='NewBlock'", "tm.event='NewBlockHeader'", "tm.event='NewBlockEvents'"];
    for (const query of queries) {
      const [mine, expected] = await Promise.all(
        [ours.consensusUrl, theirs.url].map((url) => firstEvent(url, query)),
      );
      expect(shapeOf(comparable(mine))).toEqual(shapeOf(comparable(expected)));
    }
  });

  it(`is followed by the light client over ${FOLLOWED_BLOCKS} blocks, with a primary and a witness`, async () => {
    const url = ours.consensusUrl;
    const last = FOLLOWED_BLOCKS + 2;
    await until(`block ${last}`, async () => (await height(url)) > last);
    const witness = await openForwarder(url);
    const light = await startLight(await lightOptions(url, witness));
    try {
      for (let at = 3; at <= last; at++) {
        const [verified, told] = await Promise.all([
          get(light.url, `commit?height=${at}`),
          get(url, `commit?height=${at}`),
        ]);
        expect(hashOf(verified.body)).toBe(hashOf(told.body));
      }
      for (const path of [
        'block?height=9',
        'validators?height=9',
        'block_results?height=9',
        'consensus_params?height=9',
      ]) {
        expect(await get(light.url, path)).toMatchObject({ status: 200 });
      }
      expect(light.output()).toContain(`height=${last} `);
      expect(witness.requests).toBeGreaterThanOrEqual(1);
    } finally {
      await light.stop();
      await witness.close();
    }
  });

  it('is not believed by the light client when its witness tells of other blocks', async () => {
    const url = ours.consensusUrl;
    const liar = await openForwarder(url, (text) =>
      text.replace(/"app_hash":"[0-9A-F]{4}/, '"app_hash":"0000'),
    );
    const options = await lightOptions(url, liar);
    const light = await startLight({ ...options, home: join(root, 'doubting') }).catch(String);
    try {
      if (typeof light === 'string') return;
      const { body } = await get(light.url, 'commit?height=9');
      expect(body.error).toBeDefined();
    } finally {
      if (typeof light !== 'string') await light.stop();
      await liar.close();
    }
  });
});

async function lightOptions(url: string, witness: Forwarder) {
  const { body } = await get(url, 'commit?height=2');
  return {
    home: join(root, 'light'),
    chainId: 'chain-local-1',
    primary: url,
    witness: witness.url,
    trusted: { height: 2, hash: hashOf(body) },
  };
}

function hashOf(body: { result?: unknown }): string {
  const { signed_header: signed } = body.result as {
    signed_header: { commit: { block_id: { hash: string } } };
  };
  return signed.commit.block_id.hash;
}

/** Without what the two applications do differently: their version, their events, their data. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'app' && name !== 'moniker');
  return Object.fromEntries(
    members.map(([name, member]) => [name, OWN_MATTERS.includes(name) ? 'own' : comparable(member)]),
  );
}

/** `data` is base64 or null, the rest is whatever the application and the moment gave. */
const OWN_MATTERS = ['data', 'log', 'gas_used', 'gas_wanted', 'attributes', 'listen_addr', 'tx_results'];

async function firstEvent(url: string, query: string): Promise<unknown> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  socket.onerror = () => reject(new Error(`no WebSocket at ${url}`));
  socket.onopen = () => socket.send(ask('subscribe', { query }));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as { result?: { query?: string } };
    if (message.result?.query) resolve(message);
  };
  return promise.finally(() => socket.close());
}
