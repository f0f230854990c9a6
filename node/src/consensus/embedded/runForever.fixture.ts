import { openDevNode } from './devChain.fixture.ts';

/** Run by the crash test: makes blocks until it is killed, and prints each height once it is committed. */
const { engine } = await openDevNode(process.argv[2]!, Number.POSITIVE_INFINITY);
await engine.start();
for (;;) {
  const { block } = await engine.mine();
  process.stdout.write(`${block.header.height}\n`);
}
