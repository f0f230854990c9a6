import type { ChainNode } from '../api/index.ts';
import { ChainNodeController, FleetController, HeightPace, type NodeEvent } from '../controller/index.ts';
import { type Reconcile, refOf } from '../kube/index.ts';
import { compareAnswers, NodeObserver } from '../observe/index.ts';
import { MigrationRunner } from '../task/index.ts';
import type { OperatorParts } from './operatorParts.ts';
import { RELEASE } from './release.ts';

/** What each kind's controller does with a key. `onNode`: the node has said something new. */
export function openReconcilers(
  shared: OperatorParts,
  onNode: (key: string) => void,
): { readonly node: Reconcile; readonly fleet: Reconcile; readonly observer: Pick<NodeObserver, 'get'> } {
  const { options, client, caches, registry, logger, lifecycle, tell } = shared;
  const { controller, defaults } = options.settings;
  const observer = lifecycle.own(
    new NodeObserver(
      {
        intervalMs: controller['poll-interval'],
        timeoutMs: controller['poll-timeout'],
        concurrency: controller['poll-concurrency'],
      },
      { clock: client.clock, logger, metrics: registry, onChange: onNode },
    ),
  );
  const pace = new HeightPace({ intervalMs: controller['height-interval'] });
  const tellNode = (regarding: ChainNode, event: NodeEvent): void => tell({ regarding, ...event });
  const sealingSecret = {
    namespace: options.namespace,
    name: `${options.settings['leader-election'].name}-sealing`,
  };
  const nodes = new ChainNodeController(
    {
      limiterImage: defaults['limiter-image'],
      operatorNamespace: options.namespace,
      release: RELEASE,
      signers: { namespace: options.namespace, name: options.settings['leader-election'].name },
    },
    {
      client,
      observer,
      pace,
      logger,
      metrics: registry,
      peersOf: (node) => caches.peersOf(node),
      cached: caches.objects,
      seen: caches.seen,
      migrations: new MigrationRunner({ client, logger, tell: tellNode, sealingSecret }),
      tell: tellNode,
    },
  );
  const fleets = new FleetController({
    client,
    compareAnswers,
    pace,
    logger,
    metrics: registry,
    nodes: () => caches.nodes.list(),
    tell: (regarding, event) => tell({ regarding, ...event }),
  });
  return {
    observer,
    node: (key) => nodes.reconcile(refOf(key)),
    fleet: (key) => fleets.reconcile(refOf(key)),
  };
}
