import type { Clock } from '@chain/platform';
import type { Happening } from '../kube/index.ts';
import { type StatusSource, viewOf } from '../statusPage/index.ts';
import type { ResourceCaches } from './resourceCaches.ts';

type EventRows = ReturnType<StatusSource['view']>['events'];

const EVENTS = 200;

export interface PageSource extends StatusSource {
  /** What the page shows of what has happened: only what this process did. */
  note(happening: Happening): void;
}

/** What the status page shows, out of the caches. */
export function pageSource(caches: Pick<ResourceCaches, 'nodes' | 'fleets'>, clock: Clock): PageSource {
  const listeners = new Set<() => void>();
  let revision = 0;
  let events: EventRows = [];
  const changed = (): void => {
    revision++;
    for (const listener of listeners) listener();
  };
  caches.nodes.onChange(changed);
  caches.fleets.onChange(changed);
  return {
    revision: () => revision,
    view: () => viewOf({ nodes: caches.nodes.list(), fleets: caches.fleets.list(), events }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    note: ({ regarding, type, reason, note }) => {
      const subject = `${regarding.metadata?.namespace}/${regarding.metadata?.name}`;
      events = [{ at: clock.now(), type, subject, reason, note }, ...events].slice(0, EVENTS);
      changed();
    },
  };
}
