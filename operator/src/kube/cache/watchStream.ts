import { StringDecoder } from 'node:string_decoder';
import { isCodedError, parseJson } from '@chain/platform';
import { kubeError, unreachable } from '../client/kubeErrors.ts';
import { pathOf, type ResourceKind } from '../client/resourceKinds.ts';
import type { Transport } from '../client/transport.ts';
import type { KubeObject } from '../client/wire.ts';

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

export interface WatchOptions<T extends KubeObject> {
  readonly kind: ResourceKind<T>;
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly resourceVersion: string;
  /** A connection on which nothing came for this long is given up: it may be half open. */
  readonly idleMs: number;
  /** The server ends the watch after this long. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/**
 * Events from one version on. Ends when the server ends it, and after a silence: neither is a failure, the watch
 * goes on from the last version. Throws KUBE_GONE when the version is too old, and what a request throws.
 */
export async function* watchStream<T extends KubeObject>(
  transport: Transport,
  options: WatchOptions<T>,
  onAlive: () => void,
): AsyncGenerator<WatchEvent<T>> {
  const idle = new AbortController();
  const giveUp = (): void => idle.abort();
  let timer = setTimeout(giveUp, options.idleMs);
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, options.idleMs);
    onAlive();
  };
  try {
    const response = await transport.stream(
      requestOf(options, AbortSignal.any([options.signal, idle.signal])),
    );
    alive();
    yield* eventsIn<T>(response, alive);
  } catch (error) {
    if (options.signal.aborted || idle.signal.aborted) return;
    if (isCodedError(error)) throw error;
    throw unreachable(`watch ${options.kind.plural}`, error);
  } finally {
    clearTimeout(timer);
    idle.abort();
  }
}

function requestOf<T extends KubeObject>(options: WatchOptions<T>, signal: AbortSignal) {
  const { kind, namespace, labelSelector, fieldSelector, resourceVersion, timeoutSeconds } = options;
  return {
    method: 'GET',
    verb: 'watch',
    path: pathOf(kind, { namespace }),
    query: {
      watch: '1',
      allowWatchBookmarks: 'true',
      resourceVersion,
      labelSelector,
      fieldSelector,
      timeoutSeconds: String(timeoutSeconds),
    },
    signal,
  } as const;
}

/** One JSON object a line; a line may come in any number of pieces. */
async function* eventsIn<T>(
  body: AsyncIterable<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<WatchEvent<T>> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of body) {
    onBytes();
    const lines = (rest + decoder.write(Buffer.from(chunk))).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield readEvent<T>(line);
  }
}

function readEvent<T>(line: string): WatchEvent<T> {
  const event = parseJson(line) as { readonly type: string; readonly object: unknown };
  if (event.type !== 'ERROR') return event as WatchEvent<T>;
  const { code = 500 } = event.object as { readonly code?: number };
  throw kubeError('watch', { status: code, body: JSON.stringify(event.object) });
}
