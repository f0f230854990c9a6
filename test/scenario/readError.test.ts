import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_DIRS } from '@chain/platform/contract';
import { afterAll, expect, it } from 'vitest';
import { startDevNode } from '../support/devNode.ts';
import { createHomes, heightOf, JSON_LOG, makeChain } from '../support/madeChain.ts';
import { RpcFailure, rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

const homes = createHomes();
afterAll(() => homes.remove());

it('a read error is the error of that call, and the node goes on', async () => {
  const { home, counter } = await makeChain(homes.fresh(), true);
  const node = await startDevNode({ home, split: true, blockTimeMs: 50, args: JSON_LOG });
  try {
    // The start has made a table of what was in the log; nobody has read it yet.
    const directory = join(home, DATA_DIRS.evmStore);
    for (const name of readdirSync(directory).filter((file) => file.endsWith('.ldb')))
      spoil(join(directory, name));
    const failure = await rpcCall(node.url, 'eth_getStorageAt', [counter, '0x0', '0x2']).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(RpcFailure);
    const before = await heightOf(node);
    await until('a further block', async () => (await heightOf(node)) > before);
    expect(await node.stop()).toBe(0);
  } finally {
    await node.kill9();
  }
});

/** In place, and not shorter: the node has the file mapped. */
function spoil(path: string): void {
  const handle = openSync(path, 'r+');
  const { size } = statSync(path);
  writeSync(handle, Buffer.alloc(Math.max(0, size - 300), 0xee), 0, undefined, 0);
  closeSync(handle);
}
