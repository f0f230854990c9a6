import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingCometbft } from '../support/cometbft.ts';
import { agree, makeNetwork, type Network } from '../support/network.ts';
import { processMemory } from '../support/processMemory.ts';
import { leftOutIf } from '../support/required.ts';
import { SteadyLoad } from '../support/steadyLoad/index.ts';
import { pause } from '../support/steadyLoad/viemLoad.ts';
import { Stranger } from '../support/stranger/index.ts';
import { until } from '../support/until.ts';

const SECONDS = Number(process.env.ATTACK_SECONDS ?? 20);
const SEED = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000);
/** Bytes. */
const MAX_MEMORY = 2 * 2 ** 30;
/** Of honest clients, of each kind. */
const TRANSFERS = 2;
const leftOut = leftOutIf('all attacks at once on a network', missingCometbft());

let network: Network;
beforeAll(async () => {
  network = await makeNetwork({ validators: 2, rpcNodes: 1, blockTimeMs: 1000 });
  for (const node of network.nodes) node.start();
  await network.rpcs[0]!.reaches(3);
});
afterAll(() => network?.close());

it(`honest clients see no failure while a stranger attacks in every known way (${SECONDS} s, SOAK_SEED=${SEED})`, {
  ...leftOut,
  timeout: 600_000 + SECONDS * 4000,
}, async () => {
  const [node] = network.rpcs;
  const { jsonRpc, consensusRpc: consensus, p2pPort } = node!;
  const processes = network.nodes.map(({ pid }) => pid);
  const engines = network.nodes.map((each) => each.cometPid());
  const load = new SteadyLoad({ jsonRpc, consensus, evmChainId: 713_714, chainId: 'network-1' });
  const stranger = new Stranger({ jsonRpc, consensus, p2pPort }, SEED);
  await pause(SECONDS * 1000);
  await until(
    'honest transfers are in blocks',
    async () => {
      const { evmTransfers, ledgerTransfers, failures } = load.report;
      return failures.length > 0 || Math.min(evmTransfers, ledgerTransfers) >= TRANSFERS;
    },
    300_000,
  );
  await stranger.end();
  const report = await load.end();
  const outcomes = Array.from(stranger.outcomes, ([attack, counts]) => [attack, Object.fromEntries(counts)]);
  process.stdout.write(`${JSON.stringify({ ...report, attacks: Object.fromEntries(outcomes) })}\n`);
  expect(report.failures).toEqual([]);
  await agree(network.nodes, await node!.height());
  expect(network.nodes.map(({ pid }) => pid)).toEqual(processes);
  expect(network.nodes.map((each) => each.cometPid())).toEqual(engines);
  expect(processMemory(node!.pid, 'VmHWM')).toBeLessThan(MAX_MEMORY);
  for (const [attack, counts] of stranger.outcomes) expect(counts.size, attack).toBeGreaterThan(0);
});
