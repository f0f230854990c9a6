import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StargateClient } from '@cosmjs/stargate';
import {
  Comet38Client,
  type CometClient,
  type comet38,
  connectComet,
  HttpBatchClient,
  isComet38Client,
} from '@cosmjs/tendermint-rpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256, bytesToHex as toHex } from '../../node/src/primitives/index.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { wrappedTransfer } from '../support/ledgerTransfer.ts';
import { until } from '../support/until.ts';

let root: string;
let node: DevNode;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cosmjs-'));
  node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 100 });
});
afterAll(async () => {
  await node?.kill9();
  rmSync(root, { recursive: true, force: true });
});

function asComet38(client: CometClient): Comet38Client {
  expect(isComet38Client(client)).toBe(true);
  return client as Comet38Client;
}

describe('CosmJS', () => {
  it('finds CometBFT v0.38 over HTTP, and reads all that its client can ask', async () => {
    const client = asComet38(await connectComet(node.consensusUrl));
    const status = await client.status();
    expect(status.nodeInfo.network).toBe('chain-local-1');
    expect(status.syncInfo.catchingUp).toBe(false);
    const tx = await wrappedTransfer(node.url, 3);
    const committed = await client.broadcastTxCommit({ tx });
    expect(committed.checkTx.code).toBe(0);
    expect(committed.txResult?.code).toBe(0);
    const { height } = committed;
    const found = await client.tx({ hash: sha256(tx), prove: true });
    expect([found.height, found.index, toHex(found.tx)]).toEqual([height, 0, toHex(tx)]);
    expect(toHex(found.proof!.data)).toBe(toHex(tx));
    const block = await client.block(height);
    expect(block.block.txs.map(toHex)).toEqual([toHex(tx)]);
    expect(block.blockId.hash).toEqual((await client.commit(height)).commit.blockId.hash);
    expect((await client.blockResults(height)).results).toHaveLength(1);
    expect((await client.blockchain(1, height)).lastHeight).toBeGreaterThanOrEqual(height);
    expect((await client.validatorsAll()).total).toBe(1);
    expect((await client.genesis()).chainId).toBe('chain-local-1');
    expect((await client.abciInfo()).lastBlockHeight).toBeGreaterThanOrEqual(height);
    expect((await client.numUnconfirmedTxs()).total).toBe(0);
    await client.health();
    const blocks = await client.blockSearch({ query: `block.height=${height}` });
    expect(blocks.blocks.map(({ block: it }) => it.header.height)).toEqual([height]);
    client.disconnect();
  });

  it('gets a proof with an answer of abci_query, and the code of what the application refuses', async () => {
    const client = asComet38(await connectComet(node.consensusUrl));
    const key = Uint8Array.of(1);
    // Between the run of a block and its announcement the newest version may not be provable for a moment.
    const answer = await until('a proof', async () => {
      const given = await client.abciQuery({ path: '/store/evm/key', data: key, prove: true });
      return given.code === 0 && given;
    });
    expect(toHex(answer.key)).toBe('01');
    expect(answer.height).toBeGreaterThan(0);
    expect(answer.proof?.ops.map(({ type }) => type)).toEqual(['ics23:iavl', 'ics23:simple']);
    const missing = await client.abciQuery({ path: '/store/nothing/key', data: key });
    expect(missing).toMatchObject({ code: 6, log: 'no such store: nothing: unknown request' });
    client.disconnect();
  });

  it('hears of blocks and transactions over WebSocket, and finds them by their events', async () => {
    const client = asComet38(await connectComet(node.consensusUrl.replace('http', 'ws')));
    const blocks: number[] = [];
    const heard: comet38.TxEvent[] = [];
    const blockEvents = client.subscribeNewBlock();
    const blockSubscription = blockEvents.subscribe({ next: ({ header }) => blocks.push(header.height) });
    const txSubscription = client.subscribeTx('evm_transaction.sender EXISTS').subscribe({
      next: (event) => heard.push(event),
    });
    await until('three blocks', async () => blocks.length >= 3);
    expect(blocks[1]).toBe(blocks[0]! + 1);
    const tx = await wrappedTransfer(node.url, 4);
    const { hash, code } = await client.broadcastTxSync({ tx });
    expect(code).toBe(0);
    const event = await until('the transaction', async () => heard[0]);
    expect([toHex(event.hash), toHex(event.tx)]).toEqual([toHex(hash), toHex(tx)]);
    const attributes = event.result.events.find(({ type }) => type === 'evm_transaction')!.attributes;
    const sender = attributes.find(({ key }) => key === 'sender')!.value;
    const search = (query: string) =>
      client.txSearchAll({ query }).then(({ txs }) => txs.map((it) => toHex(it.hash)));
    expect(await search(`evm_transaction.sender='${sender}'`)).toEqual([toHex(hash)]);
    expect(await search(`evm_transaction.sender='${sender}' AND tx.height<=${event.height}`)).toHaveLength(1);
    expect(await search(`evm_transaction.sender='${sender}' AND tx.height>${event.height}`)).toEqual([]);
    expect(await search(`evm_transaction.sender='${sender}' AND evm_transaction.nonce=0`)).toHaveLength(1);
    expect(await search(`evm_transaction.sender='${sender}' AND evm_transaction.nonce>0`)).toEqual([]);
    expect(await search(`evm_transaction.sender CONTAINS '${sender.slice(4, 20)}'`)).toHaveLength(1);
    expect(await search(`tx.hash='${toHex(hash).toUpperCase()}'`)).toHaveLength(1);
    blockSubscription.unsubscribe();
    txSubscription.unsubscribe();
    client.disconnect();
  });

  it('sends batches, and Stargate reads height, chain and blocks', async () => {
    const batching = Comet38Client.create(new HttpBatchClient(node.consensusUrl, { batchSizeLimit: 5 }));
    const both = await Promise.all([batching.status(), batching.abciInfo(), batching.block(1)]);
    expect(both[2].block.header.height).toBe(1);
    batching.disconnect();
    const stargate = await StargateClient.connect(node.consensusUrl);
    expect(await stargate.getChainId()).toBe('chain-local-1');
    expect((await stargate.getBlock(1)).header.height).toBe(1);
    stargate.disconnect();
  });
});
