import assert from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { createEvmEngine } from '../../node/src/evm/index.ts';
import { createExecution } from '../../node/src/execution/index.ts';
import { readAccount } from '../../node/src/ledger/index.ts';
import { fromBech32, publicKeyOf, signDigest, verifyDigest } from '../../node/src/primitives/index.ts';
import { startDevNode } from '../support/devNode.ts';
import { openHome } from '../support/openHome.ts';
import type { BenchOptions, Report } from './bench.ts';
import { decidedBlock, EVM_CHAIN_ID, withHome } from './blockHome.ts';
import { ledgerReads } from './ledgerReads.ts';
import { SENDER_ADDRESSES, signSends } from './ledgerSends.ts';
import { sendThroughput } from './ledgerThroughput.ts';

/** Bank sends: checked, executed, and from submission to block; reads over REST and gRPC. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  await withHome((home) => checkAndRun(home, report));
  const root = mkdtempSync(join(tmpdir(), 'ledger-bench-'));
  const node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 0 });
  try {
    await sendThroughput(report, node, full ? 20_000 : 4_000);
    await ledgerReads(report, node, full ? 9 : 3);
  } finally {
    await node.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** CheckTx of sends, then a block of them, on the state after genesis. */
async function checkAndRun(home: string, report: Report): Promise<void> {
  const count = 2000;
  const { chain, close } = await openHome(home, { split: false });
  await chain.applyBlock(decidedBlock(1, []));
  const state = chain.newestState;
  const accountNumbers = SENDER_ADDRESSES.map(
    (address) => readAccount(state, fromBech32(address, 'chain'))!.accountNumber,
  );
  const txs = signSends({ from: 0, count, accountNumbers });
  const context = { ...chain.pendingContext(), gasLimit: 100_000n * BigInt(count) };
  const rates = { check: [] as number[], run: [] as number[], limit: [] as number[] };
  for (let turn = 0; turn < 4; turn++) {
    const engine = createEvmEngine({ chainId: EVM_CHAIN_ID });
    const execution = createExecution({}, { engine, logger: silentLogger });
    const started = performance.now();
    for (const raw of txs) execution.checkTransaction(raw, state, context);
    const checked = performance.now();
    const { results } = await execution.runBlock({ context, txs }, state);
    const ran = performance.now();
    assert.ok(results.every(({ code }) => code === 0));
    rates.check.push((count * 1000) / (checked - started));
    rates.run.push((count * 1000) / (ran - checked));
    rates.limit.push(verificationsPerSecond(count));
  }
  await close();
  const limit = median(rates.limit);
  const row = { unit: 'tx/s', peer: `bare verification (${Math.round(limit)}/s)` };
  const [check, block] = [median(rates.check), median(rates.run)];
  report({ name: 'CheckTx of bank sends', value: check, ratio: check / limit, ...row });
  report({ name: 'a block of 2,000 bank sends, checked before', value: block, ratio: block / limit, ...row });
}

/** The limit on one core: secp256k1 verification and nothing else. */
function verificationsPerSecond(count: number): number {
  const key = Buffer.alloc(32, 7);
  const publicKey = publicKeyOf(key, true)!;
  const signed = Array.from({ length: count }, (_, i) => {
    const digest = Buffer.alloc(32);
    digest.writeUInt32BE(i + 1);
    return { digest, signature: signDigest(digest, key).signature };
  });
  const started = performance.now();
  for (const { digest, signature } of signed) verifyDigest(digest, publicKey, signature);
  return count / ((performance.now() - started) / 1000);
}
