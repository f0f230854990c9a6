import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_DIRS } from '@chain/platform/contract';
import { afterAll, expect, it } from 'vitest';
import { startDevNode } from '../support/devNode.ts';
import { createHomes, heightOf, JSON_LOG, makeChain } from '../support/madeChain.ts';
import { RpcFailure, rpcCall } from '../support/rpcCall.ts';

const homes = createHomes();
afterAll(() => homes.remove());

it('a read error is the error of that call, and the node goes on', async () => {
  // The start reads the newest rows: of a long chain there are others.
  const { home, counter } = await makeChain(homes.fresh(), true, 40);
  const node = await startDevNode({ home, split: true, blockTimeMs: 0, args: JSON_LOG });
  try {
    // The start has made a table of what was in the log; nobody has read it yet.
    const directory = join(home, DATA_DIRS.evmStore);
    for (const name of readdirSync(directory).filter((file) => file.endsWith('.ldb')))
      spoil(join(directory, name));
    const failure = await rpcCall(node.url, 'eth_getStorageAt', [counter, '0x0', '0x2']).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(RpcFailure);
    // No block is made meanwhile: a store that cannot be written ends the node.
    expect(await heightOf(node)).toBeGreaterThan(2);
    expect(await rpcCall(node.url, 'eth_getBlockByNumber', ['0x2', false])).toMatchObject({ number: '0x2' });
    expect(await node.stop()).toBe(0);
  } finally {
    await node.kill9();
  }
});

const FILTER_NAME = 'filter.leveldb.BuiltinBloomFilter2';

/** The rows, in place and not shorter, for the node has the file mapped; the filter before all else tells where a row is. */
function spoil(path: string): void {
  const file = readFileSync(path);
  const rows = varint(file, file.lastIndexOf(FILTER_NAME) + FILTER_NAME.length);
  const handle = openSync(path, 'r+');
  writeSync(handle, Buffer.alloc(rows, 0xee), 0, undefined, 0);
  closeSync(handle);
}

function varint(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!;
  return byte < 0x80 ? byte : (byte & 0x7f) + 0x80 * varint(bytes, at + 1);
}
