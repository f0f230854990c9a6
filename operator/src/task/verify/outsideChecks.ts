import { hostAndPort, isCodedError, messageOf } from '@chain/platform';
import { PORTS, STARTUP_LINES } from '@chain/platform/contract';
import { type ChainNodeSpec, msOf } from '../../api/index.ts';
import type { KubeClient } from '../../kube/index.ts';
import { askJsonRpc } from '../../observe/index.ts';
import { type MigrationRecord, type ObservedState, targetOf } from '../../plan/index.ts';
import { nodeNames, POD_NAMES } from '../../resources/index.ts';
import type { NodeView } from '../nodeView.ts';

type Check = NonNullable<ObservedState['checks']>[number];

/** What shows from outside that the new layout works; the Job beside the node compares it with others. */
export function reportChecks(
  { node, observation }: NodeView,
  record: MigrationRecord,
  now: number,
): readonly Check[] | undefined {
  const report = observation?.report;
  if (!report || observation.problem !== undefined) return undefined;
  const { verify } = node.spec.migration;
  const target = targetOf(record);
  const from = record.progress?.height ?? 0;
  const stable = now - Date.parse(record.phaseStartedAt);
  const known = record.before.nodeId;
  return [
    check(
      'layout',
      report.evmSplit === target.evmSplit && report.backend === target.backend,
      `${report.evmSplit ? 'split' : 'one store'} on ${report.backend}`,
    ),
    check(
      'node id',
      known === undefined || report.nodeId === known,
      known === undefined ? report.nodeId : `${report.nodeId}, before ${known}`,
    ),
    check('chain', report.chainId === node.spec.chain.id, report.chainId),
    check(
      'heights advance',
      report.height - from >= verify.minBlocks,
      `${from} to ${report.height}, ${verify.minBlocks} are asked for`,
    ),
    check('ready', report.notReady === undefined, report.notReady?.message ?? 'by its own word'),
    check(
      'stable',
      stable >= msOf(verify.stableFor),
      `for ${Math.round(stable / 1000)} s of ${verify.stableFor}`,
    ),
  ];
}

const check = (name: string, ok: boolean, detail: string): Check => ({ name, ok, detail });

const TRACE_TIMEOUT_MS = 30_000;

/** `debug_traceBlockByNumber latest {}` reads the EVM's store: a result shows that it is there. */
export async function traceCheck(host: string): Promise<Check> {
  const name = 'trace of the newest block';
  try {
    const url = `http://${hostAndPort(host, PORTS.jsonRpcHttp)}`;
    const traces = await askJsonRpc<readonly unknown[]>(url, {
      method: 'debug_traceBlockByNumber',
      params: ['latest', {}],
      timeoutMs: TRACE_TIMEOUT_MS,
    });
    return check(name, true, `a result with ${Number(traces.length)} transactions`);
  } catch (error) {
    if (isCodedError(error, 'OBSERVE_TOO_LARGE')) return check(name, true, 'a result too large to be read');
    return check(name, false, messageOf(error));
  }
}

const LOG_BYTES = 4 << 20;

/** The startup lines of the split. A log that was rotated away says nothing against a node that traces. */
export async function logCheck(client: KubeClient, view: NodeView): Promise<Check> {
  const { namespace, name } = view.node.metadata;
  const ref = { namespace, name: nodeNames(name).pod };
  const text = (await client.readLogs(ref, { container: POD_NAMES.node, limitBytes: LOG_BYTES })) ?? '';
  const lines = Object.values(STARTUP_LINES);
  const found = lines.filter((line) => text.includes(line));
  return check(
    'startup lines',
    true,
    `${found.length} of ${lines.length} are in the log: ${found.join('; ')}`,
  );
}

export const wantsLog = ({ migration }: ChainNodeSpec, record: MigrationRecord): boolean =>
  migration.verify.logLines && targetOf(record).evmSplit;
