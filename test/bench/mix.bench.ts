import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rpcCall } from '../support/rpcCall.ts';
import type { BenchOptions, Report } from './bench.ts';
import { replay } from './loadGenerator.ts';
import { type Peer, startAnvil, startChaind, startGeth } from './peers.ts';
import { firstFreeTransfer, prepareSubjects } from './rpcSubjects.ts';
import { writeTrafficMix } from './trafficMix.ts';

const CONNECTIONS = 16;

/** A written mix of requests (trafficMix.json), replayed once from a file against each node with the same content. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const count = full ? 200_000 : 20_000;
  const peers = [await startChaind(), await startAnvil('--block-time', '1')];
  const geth = await startGeth({ flags: ['--dev.period', '1'] });
  if (geth) peers.push(geth);
  try {
    const measured: Measured[] = [];
    for (const peer of peers) measured.push(await measure(peer, count));
    const [ours, ...others] = measured;
    for (const other of others) {
      const named = (value: number, unit: string) => `${other.name} (${value.toPrecision(3)} ${unit})`;
      const rate = ours!.rate;
      const beside = { peer: named(other.rate, '/s'), ratio: rate / other.rate };
      report({ name: 'traffic mix: chaind', value: rate, unit: 'requests/s', ...beside });
      for (const percentile of ['p50', 'p99'] as const) {
        const value = ours![percentile];
        const beside = { peer: named(other[percentile], 'ms'), ratio: value / other[percentile] };
        report({ name: `traffic mix: chaind, ${percentile}`, value, unit: 'ms', ...beside });
      }
    }
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

interface Measured {
  readonly name: string;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

async function measure({ name, url }: Peer, count: number): Promise<Measured> {
  const subjects = await prepareSubjects(url);
  const evmChainId = BigInt(await rpcCall<string>(url, 'eth_chainId'));
  const path = join('reports', `mix-${name.split(' ')[0]}.jsonl`);
  writeTrafficMix(path, { subjects, count, evmChainId, firstTransfer: firstFreeTransfer });
  const bodies = readFileSync(path, 'utf8').trimEnd().split('\n');
  return { name, ...(await replay({ url, bodies, connections: CONNECTIONS })) };
}
