import type { Lifecycle, Logger } from '@chain/platform';
import { type Event, Informer, KINDS, type OpenedClient } from '../kube/index.ts';
import type { Observation } from '../observe/index.ts';
import { type LastReport, type StatusSource, viewOf } from '../statusPage/index.ts';
import type { ResourceCaches } from './resourceCaches.ts';

type EventRow = ReturnType<StatusSource['view']>['events'][number];

/** By which the API server tells the operator's events from those of others. */
export const REPORTING_CONTROLLER = 'chain.dev/chain-operator';
const EVENTS = 200;

interface PageDeps {
  readonly caches: Pick<ResourceCaches, 'nodes' | 'fleets'>;
  readonly connection: Pick<OpenedClient, 'transport'>;
  readonly logger: Logger;
  /** Of the newest look at a node, by whoever leads. */
  readonly observed: (key: string) => Observation | undefined;
}

/**
 * What the status page shows, out of caches: also of what other processes of the operator have done and told. The events
 * are the page's alone: nobody waits for them.
 */
export function pageSource(
  { namespaces }: { readonly namespaces: readonly string[] },
  { caches, connection, logger, observed }: PageDeps,
  lifecycle: Lifecycle,
): StatusSource {
  const events = lifecycle.own(
    new Informer<Event>(
      { kind: KINDS.event, namespaces, fieldSelector: `reportingController=${REPORTING_CONTROLLER}` },
      { transport: connection.transport, logger },
    ),
  );
  const listeners = new Set<() => void>();
  let revision = 0;
  const changed = (): void => {
    revision++;
    for (const listener of listeners) listener();
  };
  for (const informer of [caches.nodes, caches.fleets, events]) informer.onChange(changed);
  events.start();
  return {
    revision: () => revision,
    view: () =>
      viewOf({
        nodes: caches.nodes.list(),
        fleets: caches.fleets.list(),
        events: newest(events.list()),
        said: (key) => saidIn(observed(key)),
      }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function saidIn(observation: Observation | undefined): LastReport | undefined {
  const { report, problem, at } = observation ?? {};
  if (!report || problem !== undefined || at === undefined) return undefined;
  const { height, blockTime, peers } = report;
  return { height, peers, at, blockTime: blockTime === undefined ? undefined : Date.parse(blockTime) };
}

function newest(events: readonly Event[]): readonly EventRow[] {
  return events
    .map(rowOf)
    .sort((a, b) => b.at - a.at)
    .slice(0, EVENTS);
}

/** One that was told again counts from its last time. */
function rowOf({ eventTime, series, type, reason, note, regarding }: Event): EventRow {
  const { count = 1, lastObservedTime } = series ?? {};
  return {
    at: Date.parse(String(lastObservedTime ?? eventTime ?? '')),
    type: type === 'Warning' ? 'Warning' : 'Normal',
    subject: `${regarding?.namespace}/${regarding?.name}`,
    reason: reason ?? '',
    note: `${note ?? ''}${count > 1 ? ` (${count} times)` : ''}`,
  };
}
