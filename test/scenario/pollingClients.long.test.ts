import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, type Hex, http, webSocket } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { developmentAccount } from '../support/accounts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { rpcCall } from '../support/rpcCall.ts';

const CLIENTS = 200;
const BLOCKS = 20;
const RESTARTS = 3;
const alice = developmentAccount(0).address;
const FRIEND = '0x00000000000000000000000000000000000000f1';

let root: string;
let node: DevNode;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'polling-'));
});
afterEach(async () => {
  await node?.kill9();
  rmSync(root, { recursive: true, force: true });
});

const send = () => rpcCall<Hex>(node.url, 'eth_sendTransaction', [{ from: alice, to: FRIEND, value: '0x1' }]);

describe('many pages at once', () => {
  it(`${CLIENTS} clients that poll as wagmi does see every block and the same balance`, async () => {
    node = await startDevNode({ home: join(root, 'home'), split: true, blockTimeMs: 0 });
    const seen = Array.from({ length: CLIENTS }, () => ({ blocks: [] as bigint[], errors: [] as Error[] }));
    const clients = seen.map(() =>
      createPublicClient({
        transport: http(node.url, { retryCount: 0, timeout: 60_000 }),
        pollingInterval: 50,
      }),
    );
    const stops = clients.map((client, i) =>
      client.watchBlockNumber({
        emitMissed: true,
        emitOnBegin: true,
        onBlockNumber: (number) => seen[i]!.blocks.push(number),
        onError: (error) => seen[i]!.errors.push(error),
      }),
    );
    await expect.poll(() => seen.every(({ blocks }) => blocks.length > 0)).toBe(true);
    for (let i = 0; i < BLOCKS; i++) await send();
    const latest = BigInt(await rpcCall<Hex>(node.url, 'eth_blockNumber'));
    await expect.poll(() => seen.every(({ blocks }) => blocks.at(-1)! >= latest)).toBe(true);
    for (const stop of stops) stop();
    for (const { blocks, errors } of seen) {
      expect(errors).toEqual([]);
      expect(blocks).toEqual(blocks.map((_, i) => blocks[0]! + BigInt(i)));
    }
    const balances = await Promise.all(
      clients.map((client) => client.getBalance({ address: FRIEND, blockNumber: latest })),
    );
    expect(new Set(balances)).toEqual(new Set([BigInt(BLOCKS)]));
  });
});

describe('a subscription', () => {
  it(`goes on by itself after each of ${RESTARTS} restarts of the node`, async () => {
    const home = join(root, 'home');
    node = await startDevNode({ home, blockTimeMs: 100 });
    const ports = [node.url, node.wsUrl].map((url) => new URL(url).port);
    const args = ['--port', ports[0]!, '--ws-port', ports[1]!];
    const transport = webSocket(node.wsUrl, {
      // A lost connection is noticed by the next of these.
      keepAlive: { interval: 500 },
      reconnect: { attempts: 1000, delay: 100 },
      retryCount: 1000,
    });
    const client = createPublicClient({ transport });
    const heard: bigint[] = [];
    const stop = client.watchBlockNumber({ onBlockNumber: (number) => heard.push(number) });
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    for (let i = 0; i < RESTARTS; i++) {
      await node.kill9();
      const before = heard.at(-1)!;
      node = await startDevNode({ home, blockTimeMs: 100, args });
      await expect.poll(() => heard.at(-1)!).toBeGreaterThan(before + 2n);
    }
    stop();
    // Nothing is told twice, and nothing goes back.
    expect(heard).toEqual([...new Set(heard)].sort((a, b) => (a < b ? -1 : 1)));
  });
});
