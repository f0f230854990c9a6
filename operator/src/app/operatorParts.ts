import type { Lifecycle, Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { KubeClient, OpenedClient, RecordedEvent, RuntimeMetrics } from '../kube/index.ts';
import type { OperatorSettings } from '../settings/index.ts';
import type { ResourceCaches } from './resourceCaches.ts';

export interface OperatorOptions {
  readonly settings: OperatorSettings;
  /** Of the pod that this process runs in, or else of the machine. */
  readonly instance: string;
  /** That the operator runs in. */
  readonly namespace: string;
}

/** What the parts share while it is put together. */
export interface OperatorParts {
  readonly options: OperatorOptions;
  readonly connection: OpenedClient;
  /** Writes only while this process leads. */
  readonly client: KubeClient;
  readonly caches: ResourceCaches;
  readonly registry: MetricsRegistry;
  readonly metrics: RuntimeMetrics;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly tell: (happening: RecordedEvent) => void;
}
