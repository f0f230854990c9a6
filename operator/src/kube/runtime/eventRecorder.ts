import { createHash, randomUUID } from 'node:crypto';
import { isCodedError, type Logger } from '@chain/platform';
import type { KubeClient } from '../client/kubeClient.ts';
import { KINDS } from '../client/resourceKinds.ts';
import type { KubeObject } from '../client/wire.ts';
import type { RuntimeMetrics } from './runtimeMetrics.ts';

/** What `kubectl describe` shows of an object. */
export interface RecordedEvent {
  readonly regarding: KubeObject;
  readonly type: 'Normal' | 'Warning';
  /** UpperCamelCase, for programs. */
  readonly reason: string;
  /** What the operator did or tried, UpperCamelCase. */
  readonly action: string;
  /** For people. */
  readonly note: string;
}

export interface EventRecorder {
  /** Never throws, and nobody waits for it. */
  record(happening: RecordedEvent): void;
  /** What has been recorded is written, or lost. */
  close(): Promise<void>;
}

interface RecorderDeps {
  readonly client: KubeClient;
  readonly metrics: RuntimeMetrics;
  readonly logger: Logger;
  readonly now?: () => number;
}

/** Repeats are counted, and the count is written this often. */
const SERIES_MS = 300_000;
const REMEMBERED = 4096;
const BURST = 25;
const REFILL_MS = 300_000;
const NOTE_LENGTH = 1024;

interface Series {
  readonly namespace: string;
  readonly name: string;
  count: number;
  writtenAt: number;
}

/** Events in `events.k8s.io/v1`: the first of its kind is written at once, repeats are counted in it. */
export function openEventRecorder(
  { controller, instance }: { readonly controller: string; readonly instance: string },
  deps: RecorderDeps,
): EventRecorder {
  const { client, metrics, logger, now = () => performance.now() } = deps;
  const series = new Map<string, Series>();
  const buckets = new Map<string, { tokens: number; at: number }>();
  const writes = new Set<Promise<void>>();

  const write = (what: () => Promise<unknown>, result: string): void => {
    const written = what().then(
      () => metrics.events.add(1, { result }),
      (error: unknown) => {
        metrics.events.add(1, { result: 'failed' });
        logger.debug('An event was not written', { error });
      },
    );
    writes.add(written);
    void written.finally(() => writes.delete(written));
  };
  const record = (happening: RecordedEvent): void => {
    const { regarding, type, reason, note } = happening;
    const { uid = '', name = '', namespace = 'default' } = regarding.metadata ?? {};
    const key = digest([uid, type, reason, note].join('\0'));
    const known = series.get(key);
    if (known) {
      known.count++;
      if (now() - known.writtenAt < SERIES_MS) {
        metrics.events.add(1, { result: 'counted' });
        return;
      }
      known.writtenAt = now();
      write(() => countUp(client, known), 'written');
      return;
    }
    if (!takeToken(buckets, uid, now())) {
      metrics.events.add(1, { result: 'dropped' });
      return;
    }
    const begun = { namespace, name: `${name.slice(0, 200)}.${randomUUID()}`, count: 1, writtenAt: now() };
    remember(series, key, begun);
    write(() => client.create(KINDS.event, eventOf(happening, begun, { controller, instance })), 'written');
  };
  return {
    record: (happening) => {
      try {
        record(happening);
      } catch (error) {
        logger.warn('An event could not be made', { error });
      }
    },
    close: async () => {
      await Promise.all(writes);
    },
  };
}

function eventOf(
  { regarding, type, reason, action, note }: RecordedEvent,
  { namespace, name }: Series,
  { controller, instance }: { readonly controller: string; readonly instance: string },
) {
  const { apiVersion, kind, metadata = {} } = regarding;
  const { uid, resourceVersion } = metadata;
  return {
    metadata: { namespace, name },
    eventTime: microTime(Date.now()),
    type,
    reason: reason.slice(0, 128),
    action: action.slice(0, 128),
    note: note.slice(0, NOTE_LENGTH),
    reportingController: controller,
    reportingInstance: instance.slice(0, 128),
    regarding: {
      apiVersion,
      kind,
      namespace: metadata.namespace,
      name: metadata.name,
      uid,
      resourceVersion,
    },
  };
}

async function countUp(client: KubeClient, { namespace, name, count }: Series): Promise<void> {
  const repeated = { series: { count, lastObservedTime: microTime(Date.now()) } };
  try {
    await client.patch(KINDS.event, { namespace, name }, repeated);
  } catch (error) {
    // Events are deleted after an hour; the next repeat writes a new one.
    if (!isCodedError(error, 'KUBE_NOT_FOUND')) throw error;
  }
}

function takeToken(buckets: Map<string, { tokens: number; at: number }>, uid: string, now: number): boolean {
  const bucket = buckets.get(uid) ?? { tokens: BURST, at: now };
  remember(buckets, uid, bucket);
  bucket.tokens = Math.min(BURST, bucket.tokens + (now - bucket.at) / REFILL_MS);
  bucket.at = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > REMEMBERED) map.delete(map.keys().next().value!);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** As Lease and Event want times: six digits, or the API server refuses them. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, '000Z');
}
