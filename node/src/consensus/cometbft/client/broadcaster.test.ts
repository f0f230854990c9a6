import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Broadcaster } from './broadcaster.ts';
import { type CometClient, createCometClient } from './cometClient.ts';

interface Call {
  readonly id: number;
  readonly params: { readonly tx: string };
}

let directory: string;
let path: string;
let client: CometClient;
let server: Server | undefined;
let batches: string[][];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'broadcast-'));
  path = join(directory, 'rpc.sock');
  client = createCometClient({ address: `unix://${path}` });
  batches = [];
});
afterEach(async () => {
  client.close();
  server?.closeAllConnections();
  await new Promise((closed) => (server ? server.close(closed) : closed(undefined)));
  server = undefined;
  rmSync(directory, { recursive: true });
});

const textOf = ({ params }: Call): string => Buffer.from(params.tx, 'base64').toString();

/** CometBFT's answers to broadcast_tx_sync, in reverse order. */
async function listen(outcomeOf: (tx: string) => object): Promise<void> {
  server = createServer((request, response) => {
    void json(request).then((body) => {
      const calls = body as Call[];
      batches.push(calls.map(textOf));
      const answers = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, ...outcomeOf(textOf(call)) }));
      response.end(JSON.stringify(answers.reverse()));
    });
  });
  await new Promise<void>((listening) => server!.listen(path, listening));
}

describe('handing transactions to CometBFT', () => {
  it('gathers what comes in while a request is under way, and tells each its own outcome', async () => {
    await listen((tx) => (tx === 'bad' ? { result: { code: 5, log: 'no' } } : { result: { code: 0 } }));
    const broadcaster = new Broadcaster(client);
    const outcomes = await Promise.allSettled(
      ['first', 'second', 'bad', 'fourth'].map((tx) => broadcaster.send(Buffer.from(tx))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: { code: 'MEMPOOL_NOT_TAKEN', message: 'no' } });
    expect(batches).toEqual([['first'], ['second', 'bad', 'fourth']]);
  });

  it('is content when CometBFT has the transaction already', async () => {
    await listen(() => ({
      error: { code: -32603, message: 'Internal error', data: 'tx already exists in cache' },
    }));
    await new Broadcaster(client).send(Buffer.from('again'));
  });

  it('says that its pool is full', async () => {
    const data = 'mempool is full: number of txs 5000 (max: 5000)';
    await listen(() => ({ error: { code: -32603, message: 'Internal error', data } }));
    await expect(new Broadcaster(client).send(Buffer.from('one'))).rejects.toMatchObject({
      code: 'MEMPOOL_FULL',
    });
  });

  it('says that nobody takes it while CometBFT is away, and goes on once it is back', async () => {
    const broadcaster = new Broadcaster(client);
    await expect(broadcaster.send(Buffer.from('one'))).rejects.toMatchObject({ code: 'MEMPOOL_RELAY_DOWN' });
    await listen(() => ({ result: { code: 0 } }));
    await broadcaster.send(Buffer.from('two'));
    expect(batches).toEqual([['two']]);
  });
});
