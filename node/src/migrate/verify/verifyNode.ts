import { setTimeout as pause } from 'node:timers/promises';
import { readJsonBody } from '@chain/platform';
import { STARTUP_LINES } from '@chain/platform/contract';
import { type Check, type CheckRun, Refused, refuseWhen, runChecks } from '../checks.ts';
import type { ControlClient, ControlStatus } from '../control.ts';
import type { Journal } from '../journal.ts';
import { type ConsensusClient, createConsensusClient } from '../trust/consensusClient.ts';
import { readStarts } from './readStartup.ts';

export interface VerifyDeps {
  readonly home: string;
  readonly control: ControlClient;
  readonly tell: (message: string) => void;
  /** A node whose height does not move for so long has failed. */
  readonly stallLimitMs: number;
}

/** Evenly spread over all keys of the EVM state. */
const SAMPLES = 1000;
const LOOK_MS = 500;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
const PARALLEL = 8;

/** Everything that shows that the new layout works (spec M-7). */
export async function verifyNode(journal: Journal, deps: VerifyDeps): Promise<Check[]> {
  const { control, home } = deps;
  const facts: { status?: ControlStatus | undefined; own?: ConsensusClient; height?: number } = {};
  const status = () => known(facts.status, 'the node does not answer');
  const runs: CheckRun[] = [
    [
      'node',
      async () => {
        facts.status = await control.status();
        const { pid, phase, split, backend, release } = status();
        refuseWhen(phase !== 'running', `process ${pid} is ${phase}`);
        const wanted = journal.wish.into !== 'single';
        refuseWhen(split !== wanted, `the running node has evm-ss-split = ${split}`);
        refuseWhen(backend !== journal.wish.backend, `it runs on ${backend}, not on ${journal.wish.backend}`);
        return `process ${pid}, release ${release}, ${wanted ? 'split' : 'one store'} on ${backend}`;
      },
    ],
    ['startup lines', () => checkStartup(home, status())],
    [
      'heights advance',
      async () => {
        const url = status().consensusRpc;
        refuseWhen(url === undefined, 'its consensus RPC is switched off');
        facts.own = createConsensusClient(url!);
        const [from, to] = await advance(facts.own, deps);
        // The header above a height holds the app hash of its state.
        facts.height = to - 1;
        return `${from} to ${to}`;
      },
    ],
    ['EVM trace of the newest block', () => checkTrace(status())],
    [
      'app hash',
      () => checkAppHash(known(facts.own, 'heights do not advance'), known(facts.height, ''), journal),
    ],
    ['EVM values', () => checkValues(known(facts.height, 'heights do not advance'), { journal, control })],
    ['floors of the stores', async () => checkFloors(known(await control.status(), 'it does not answer'))],
  ];
  return runChecks(runs);
}

function known<T>(value: T | undefined, why: string): T {
  if (value === undefined) throw new Refused(`not looked at: ${why}`);
  return value;
}

async function checkStartup(home: string, { pid, split }: ControlStatus): Promise<string> {
  const start = (await readStarts(home)).findLast((record) => record.pid === pid);
  refuseWhen(start === undefined, `run/startup.json has no start of process ${pid}`);
  const [first, ...ofSplit] = Object.values(STARTUP_LINES);
  for (const message of [first, ...(split ? ofSplit : [])]) {
    refuseWhen(
      !start!.lines.some((line) => line.message === message),
      `the start at ${start!.at} did not log "${message}"`,
    );
  }
  return start!.lines.map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`).join('; ');
}

/** Waits while the node catches up, however long that takes, as long as its height moves. */
async function advance(own: ConsensusClient, { tell, stallLimitMs }: VerifyDeps): Promise<[number, number]> {
  let first = 0;
  let shown = -1;
  for (let moved = Date.now(); ; ) {
    const { latestHeight, earliestHeight, catchingUp } = await own.status();
    // Right after a restore CometBFT has no block yet.
    first ||= latestHeight;
    // Two blocks of its own: one behind the snapshot to trace, and one whose header has that one's app hash.
    if (!catchingUp && first > 0 && latestHeight >= Math.max(first, earliestHeight) + 2) {
      return [first, latestHeight];
    }
    if (latestHeight !== shown) {
      tell(`at block ${latestHeight}${catchingUp ? ', catching up' : ''}`);
      shown = latestHeight;
      moved = Date.now();
    }
    refuseWhen(
      Date.now() - moved > stallLimitMs,
      `it stands at ${latestHeight} for ${Math.round(stallLimitMs / 1000)} s${catchingUp ? ', still catching up: restart the node' : ''}`,
    );
    await pause(LOOK_MS);
  }
}

async function checkTrace({ jsonRpc }: ControlStatus): Promise<string> {
  refuseWhen(jsonRpc === undefined, 'its JSON-RPC is switched off');
  const response = await fetch(jsonRpc!, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'verify',
      method: 'debug_traceBlockByNumber',
      params: ['latest', {}],
    }),
    signal: AbortSignal.timeout(60_000),
  }).catch((error: Error) => {
    throw new Refused(`${jsonRpc} does not answer: ${error.message}`);
  });
  const answer = (await readJsonBody(response.body, { maxBytes: MAX_ANSWER_BYTES })) as {
    result?: unknown[];
    error?: { message: string };
  };
  refuseWhen(answer.result === undefined, `debug_traceBlockByNumber latest: ${answer.error?.message}`);
  return `result with ${answer.result!.length} transactions`;
}

async function checkAppHash(own: ConsensusClient, height: number, { trust }: Journal): Promise<string> {
  const { appHash } = await own.block(height + 1);
  for (const url of trust.servers) {
    const theirs = await createConsensusClient(url).block(height + 1);
    refuseWhen(
      theirs.appHash !== appHash,
      `after block ${height} it is ${appHash} here and ${theirs.appHash} at ${url}`,
    );
  }
  return `${appHash} after block ${height}, as at ${trust.servers.join(', ')}`;
}

/** The rows as this node's SS has them, against the same rows of a trusted node. */
async function checkValues(
  height: number,
  { journal, control }: { journal: Journal; control: ControlClient },
): Promise<string> {
  const [url] = journal.trust.servers;
  const trusted = createConsensusClient(url!);
  const rows = await control.sample(height, SAMPLES);
  refuseWhen(rows.length === 0, 'the EVM state is empty');
  const differing: string[] = [];
  for (let from = 0; from < rows.length; from += PARALLEL) {
    await Promise.all(
      rows.slice(from, from + PARALLEL).map(async ({ key, value }) => {
        const theirs = await trusted.query('/store/evm/key', Buffer.from(key, 'hex'), height);
        if (Buffer.from(theirs ?? []).toString('hex') !== value) differing.push(key);
      }),
    );
  }
  refuseWhen(
    differing.length > 0,
    `${differing.length} of ${rows.length} differ from ${url} at height ${height}, such as key 0x${differing[0]}`,
  );
  return `${rows.length} of height ${height} equal those of ${url}`;
}

function checkFloors({ floors, split }: ControlStatus): string {
  if (!split && floors) return `it begins at ${floors.base}`;
  refuseWhen(floors?.evm === undefined, 'there is no EVM store');
  refuseWhen(floors!.base !== floors!.evm, `base SS begins at ${floors!.base}, EVM SS at ${floors!.evm}`);
  return `both begin at ${floors!.base}`;
}
