import { toHexData } from '../../node/src/primitives/index.ts';
import { rpcBatch, rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';
import type { Report } from './bench.ts';
import { type Peer, startAnvil, startChaind, startGeth } from './peers.ts';
import { processCpuUs } from './processCpu.ts';
import { fundSenders } from './rpcSubjects.ts';
import { signTransfers } from './transfers.ts';

const TRANSFERS = 200;
const ROUNDS = 9;
const TARGET_MS = 300;
const CALL_TRACER = { tracer: 'callTracer' };

/** A block of 200 transfers traced with callTracer: ours and geth's by block, anvil's, which has no such method, one by one. */
export async function run(report: Report): Promise<void> {
  const ours = await startChaind('--block-time', '1000');
  const anvil = await startAnvil('--block-time', '1', '--gas-limit', '35000000');
  const geth = await startGeth({ flags: ['--dev.period', '1'] });
  try {
    const [block, theirBlock] = await Promise.all([fullBlock(ours), fullBlock(anvil)]);
    const mine = await medianOf(() =>
      rpcCall(ours.url, 'debug_traceBlockByNumber', [block.number, CALL_TRACER]),
    );
    const cpuBefore = processCpuUs(ours.pid);
    await medianOf(() => rpcCall(ours.url, 'debug_traceBlockByNumber', [block.number, CALL_TRACER]));
    const cpu = (processCpuUs(ours.pid) - cpuBefore) / 1000 / ROUNDS;
    const steps = await medianOf(() => rpcCall(ours.url, 'debug_traceBlockByNumber', [block.number, {}]));
    const theirs = await medianOf(() =>
      rpcBatch(
        anvil.url,
        theirBlock.hashes.map((hash) => ['debug_traceTransaction', [hash, CALL_TRACER]] as const),
      ),
    );
    const row = { name: `trace ${TRANSFERS} transfers, callTracer`, value: mine, unit: 'ms' };
    const one = `anvil, ${TRANSFERS} × debug_traceTransaction (${theirs.toFixed(0)} ms)`;
    report({ ...row, peer: one, ratio: theirs / mine });
    if (geth) {
      const other = await fullBlock(geth);
      const whole = await medianOf(() =>
        rpcCall(geth.url, 'debug_traceBlockByNumber', [other.number, CALL_TRACER]),
      );
      report({ ...row, peer: `geth dev (${whole.toFixed(0)} ms)`, ratio: whole / mine });
    }
    report({ ...row, peer: `target ${TARGET_MS} ms`, ratio: TARGET_MS / mine });
    report({ name: `trace ${TRANSFERS} transfers, callTracer: processor time`, value: cpu, unit: 'ms' });
    report({ name: `trace ${TRANSFERS} transfers, struct logs`, value: steps, unit: 'ms' });
  } finally {
    await ours.stop();
    await anvil.stop();
    await geth?.stop();
  }
}

interface FullBlock {
  readonly number: string;
  readonly hashes: readonly string[];
}

/** Sends transfers until one block holds all of a round. */
async function fullBlock({ url }: Peer): Promise<FullBlock> {
  await fundSenders(url);
  const evmChainId = BigInt(await rpcCall<string>(url, 'eth_chainId'));
  for (let from = 0; ; from += TRANSFERS) {
    const raw = signTransfers({ evmChainId, from, count: TRANSFERS });
    const hashes = await rpcBatch<string>(
      url,
      raw.map((bytes) => ['eth_sendRawTransaction', [toHexData(bytes)]] as const),
    );
    const receipts = await until('the receipts', async () => {
      const found = await rpcBatch<{ blockNumber: string } | null>(
        url,
        hashes.map((hash) => ['eth_getTransactionReceipt', [hash]] as const),
      );
      return found.every((receipt) => receipt !== null) ? found : undefined;
    });
    const numbers = new Set(receipts.map((receipt) => receipt!.blockNumber));
    const [number] = numbers;
    if (numbers.size === 1) return { number: number!, hashes };
  }
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
}
