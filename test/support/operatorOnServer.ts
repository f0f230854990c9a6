import { silentLogger } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import type { ChainNode } from '../../operator/src/api/index.ts';
import {
  type CachedObjects,
  ChainNodeController,
  FleetController,
  HeightPace,
} from '../../operator/src/controller/index.ts';
import type { KubeClient } from '../../operator/src/kube/index.ts';
import type { Observation } from '../../operator/src/observe/index.ts';
import { MigrationRunner } from '../../operator/src/task/index.ts';

export const SEALING_SECRET = { namespace: 'default', name: 'chain-operator-sealing' } as const;

/** Where Leases of validator keys lie. */
export const SIGNERS = { namespace: 'default', name: 'chain-operator' } as const;

interface Given {
  readonly client: KubeClient;
  /** What the node says of itself; nothing, when left out. */
  readonly observation?: () => Observation | undefined;
  readonly cached?: CachedObjects;
  readonly tell?: (node: ChainNode, event: { readonly note: string }) => void;
}

/** The controller of ChainNodes as the operator has it, for a test that says when a pass begins. */
export function nodeController({ client, observation, cached, tell = () => undefined }: Given) {
  return new ChainNodeController(
    { limiterImage: 'limiter', signers: SIGNERS },
    {
      client,
      observer: { watch: () => undefined, forget: () => undefined, get: () => observation?.() },
      peersOf: () => [],
      migrations: new MigrationRunner({
        client,
        logger: silentLogger,
        tell,
        sealingSecret: SEALING_SECRET,
      }),
      pace: new HeightPace({ intervalMs: 40_000 }),
      ...(cached && { cached }),
      tell,
      logger: silentLogger,
      metrics: createMetricsRegistry(),
    },
  );
}

/** The same of fleets; answers of nodes are not compared. */
export function fleetController(client: KubeClient): FleetController {
  return new FleetController({
    client,
    tell: () => undefined,
    logger: silentLogger,
    metrics: createMetricsRegistry(),
    compareAnswers: async () => ({ compared: 0, differences: [] }),
    nodes: () => [],
    pace: new HeightPace({ intervalMs: 40_000 }),
  });
}
