import { statfs } from 'node:fs/promises';
import { NODE_REPORT_PATH, type NodeReport } from '@chain/platform/contract';
import type { HttpRoute } from '@chain/platform/servers';
import type { NodeInfo } from '../comet/index.ts';
import type { NodeConfig } from '../config/index.ts';
import type { StateStore } from '../state/store/index.ts';
import type { NodeHealth } from './health.ts';
import type { Consensus } from './openConsensus.ts';
import { RELEASE } from './release.ts';
import { ofSigner } from './signReport.ts';

interface OpenedParts {
  readonly consensus: Consensus;
  readonly stateStore: Pick<StateStore, 'floors'>;
}

export interface ReportSource {
  readonly route: HttpRoute;
  /** From here on it tells of these, too. */
  opened(parts: OpenedParts): void;
}

/** `GET /status` of the admin listener, from the first moment of a start on. */
export function openNodeReport(
  config: NodeConfig,
  { nodeInfo, health }: { readonly nodeInfo: NodeInfo; readonly health: NodeHealth },
): ReportSource {
  const { home, app } = config;
  const { id: nodeId, network: chainId, moniker } = nodeInfo;
  const store = app['state-store'];
  const fixed = {
    release: RELEASE,
    chainId,
    nodeId,
    moniker,
    mode: app.node.mode,
    engine: app.node.engine,
    backend: store['ss-backend'],
    evmSplit: store['evm-ss-split'],
    startedAt: new Date().toISOString(),
  };
  let parts: OpenedParts | undefined;
  const report = async (): Promise<NodeReport> => ({
    ...fixed,
    ...ofHealth(health),
    ...(parts && { floors: parts.stateStore.floors }),
    ...(await ofPeers(parts?.consensus)),
    ...(await ofSigner(config)),
    ...(await ofVolume(home)),
  });
  return {
    route: {
      method: 'GET',
      path: NODE_REPORT_PATH,
      handler: async () => ({ status: 200, body: JSON.stringify(await report()) }),
    },
    opened: (opened) => {
      parts = opened;
    },
  };
}

function ofHealth(
  health: NodeHealth,
): Pick<NodeReport, 'stage' | 'height' | 'stateSync' | 'blockTime' | 'notReady'> {
  const { chain, stateSync } = health;
  const reason = health.notReady();
  const notReady = reason && { notReady: reason };
  if (!chain) {
    if (!stateSync) return { stage: 'opening', height: 0, ...notReady };
    return { stage: 'restoring', height: 0, stateSync, ...notReady };
  }
  const time = chain.lastRecord?.block.header.time;
  const millis = time && Number(time.seconds) * 1000 + Math.floor(time.nanos / 1e6);
  return {
    stage: 'running',
    height: chain.height,
    ...notReady,
    ...(millis !== undefined && { blockTime: new Date(millis).toISOString() }),
  };
}

/** CometBFT knows; while it does not answer, nobody does. */
async function ofPeers(consensus: Consensus | undefined): Promise<Pick<NodeReport, 'peers' | 'catchingUp'>> {
  const nobody = { catchingUp: false };
  return (await consensus?.comet?.network().catch(() => nobody)) ?? nobody;
}

async function ofVolume(home: string): Promise<Pick<NodeReport, 'volume'>> {
  try {
    const { bsize, blocks, bavail } = await statfs(home);
    return { volume: { size: blocks * bsize, free: bavail * bsize } };
  } catch {
    return {};
  }
}
