import assert from 'node:assert';
import type { Execution } from '../../node/src/execution/index.ts';
import { openHome } from '../support/openHome.ts';
import { decidedBlock, EVM_CHAIN_ID, withHome } from './blockHome.ts';
import { inEnvelope, tokenBlocks } from './tokenTransfers.ts';

const GAS_LIMIT = 200_000_000n;

/** A block of ERC-20 transfers that can be run again and again: nothing keeps what it changes. */
export interface TokenBlock {
  run(execution: Execution): Promise<{ readonly milliseconds: number; readonly gasUsed: bigint }>;
}

/** On a new home whose chain has the token; the home is deleted afterwards. */
export async function withTokenBlock(
  count: number,
  use: (block: TokenBlock) => Promise<void>,
): Promise<void> {
  await withHome(async (home) => {
    const { chain, close } = await openHome(home, { split: false });
    const { setUp, transfers } = tokenBlocks(EVM_CHAIN_ID, count);
    await chain.applyBlock(decidedBlock(1, []));
    const { finalized } = await chain.applyBlock(decidedBlock(2, setUp.map(inEnvelope), chain.lastRecord));
    assert.ok(finalized.results.every(({ code }) => code === 0));
    const txs = transfers.map(inEnvelope);
    const context = { ...chain.pendingContext(), gasLimit: GAS_LIMIT };
    await use({
      run: async (execution) => {
        const started = performance.now();
        const { results, gasUsed } = await execution.runBlock({ context, txs }, chain.newestState);
        assert.ok(results.every(({ code }) => code === 0));
        return { milliseconds: performance.now() - started, gasUsed };
      },
    });
    await close();
  });
}
