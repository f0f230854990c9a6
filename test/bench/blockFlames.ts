import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { silentLogger } from '@chain/platform';
import { createEvmEngine, type EvmEngineKind } from '../../node/src/evm/index.ts';
import { createExecution } from '../../node/src/execution/index.ts';
import { EVM_CHAIN_ID } from './blockHome.ts';
import { flameGraph } from './flameGraph.ts';
import { type TokenBlock, withTokenBlock } from './tokenBlock.ts';

const COUNT = 2_000;
const RUNS = { reference: 2, wasm: 12 } as const;

/** `npm run flames`: where the time of a block of 2,000 ERC-20 transfers goes, on either engine, to docs/benchmarks. */
await withTokenBlock(COUNT, async (block) => {
  for (const kind of ['reference', 'wasm'] as const) {
    const profile = await profileOf(kind, block);
    const title = `Execution of a block of ${COUNT.toLocaleString('en')} ERC-20 transfers, engine "${kind}"`;
    writeFileSync(`docs/benchmarks/block-${kind}.svg`, flameGraph(title, profile));
  }
});
process.exit(0);

async function profileOf(kind: EvmEngineKind, { run }: TokenBlock) {
  const engine = createEvmEngine({ chainId: EVM_CHAIN_ID, kind });
  const execution = createExecution({}, { engine, logger: silentLogger });
  await run(execution);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  for (let i = 0; i < RUNS[kind]; i++) await run(execution);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return profile;
}
