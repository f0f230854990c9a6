import { createLogger, silentLogger } from '@chain/platform';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Answer,
  configMap,
  failWith,
  listOf,
  openFaultyServer,
  patient,
  watchThatEnds,
  watchThatStays,
} from './faultyServer.fixture.ts';
import { type Change, type ConfigMap, Informer, KINDS } from './index.ts';

async function openInformer(
  answers: { readonly list: readonly Answer[]; readonly watch: readonly Answer[] },
  { idleMs = 60_000, logger = silentLogger } = {},
) {
  const server = await openFaultyServer(answers);
  const informer = new Informer(
    { kind: KINDS.configMap, namespaces: [], idleMs, maxBackoffMs: 20 },
    { transport: server.transport, logger },
  );
  const changes: string[] = [];
  informer.onChange(({ key, object, before }: Change<ConfigMap>) =>
    changes.push(`${key} ${before ? (object ? 'changed' : 'gone') : 'new'}`),
  );
  onTestFinished(async () => {
    await informer.close();
    await server.close();
  });
  return { informer, server, changes };
}

const added = (name: string, version: number) => ({ type: 'ADDED', object: configMap(name, version) });
const modified = (name: string, version: number) => ({ type: 'MODIFIED', object: configMap(name, version) });
const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old resource version' } };

describe('an informer', () => {
  it('lists, then follows the watch from there on', async () => {
    const { informer, server, changes } = await openInformer({
      list: [listOf(5, configMap('a', 3))],
      watch: [
        watchThatStays(modified('a', 6), added('b', 7), { type: 'DELETED', object: configMap('a', 8) }),
      ],
    });
    informer.start();
    await vi.waitFor(
      () => expect(changes).toEqual(['n/a new', 'n/a changed', 'n/b new', 'n/a gone']),
      patient,
    );
    expect(informer.isSynced).toBe(true);
    expect(informer.list().map(({ kind, metadata }) => [kind, metadata?.name])).toEqual([['ConfigMap', 'b']]);
    expect(server.seen[1]).toContain('resourceVersion=5');
  });

  it('puts a list together from its pages, and begins again when a page is too old', async () => {
    const page =
      (next: string | undefined, ...items: object[]): Answer =>
      (_, response) =>
        void response.end(JSON.stringify({ metadata: { resourceVersion: '9', continue: next }, items }));
    const { informer, server } = await openInformer({
      list: [
        page('x', configMap('a', 1)),
        failWith(410),
        page('y', configMap('a', 1)),
        page(undefined, configMap('b', 2)),
      ],
      watch: [watchThatStays()],
    });
    informer.start();
    await informer.whenSynced();
    expect(informer.keys()).toEqual(['n/a', 'n/b']);
    expect(server.seen.filter((url) => url.includes('continue=')).length).toBe(2);
  });

  it('finds out what it missed when its version is too old, told by an event or by a status', async () => {
    const { informer, changes } = await openInformer({
      list: [
        listOf(5, configMap('a', 1), configMap('b', 2)),
        listOf(20, configMap('b', 15), configMap('c', 16)),
        listOf(30, configMap('c', 16)),
      ],
      watch: [watchThatEnds(gone), failWith(410), watchThatStays()],
    });
    informer.start();
    await vi.waitFor(
      () => expect(changes).toEqual(['n/a new', 'n/b new', 'n/a gone', 'n/b changed', 'n/c new', 'n/b gone']),
      patient,
    );
  });

  it('lists anew behind any other error of a watch, for the same version may fail for ever', async () => {
    const broken = { type: 'ERROR', object: { kind: 'Status', code: 500, message: 'cannot decode' } };
    const { informer, server, changes } = await openInformer({
      list: [listOf(5, configMap('a', 1)), listOf(20, configMap('b', 15)), listOf(30, configMap('c', 25))],
      watch: [watchThatEnds(broken), failWith(422), failWith(503), watchThatStays()],
    });
    informer.start();
    await vi.waitFor(
      () => expect(changes).toEqual(['n/a new', 'n/a gone', 'n/b new', 'n/b gone', 'n/c new']),
      patient,
    );
    await vi.waitFor(() => expect(server.seen.at(-1)).toContain('resourceVersion=30'), patient);
    // A server that is busy says nothing of the version.
    expect(server.seen.filter((url) => !url.includes('watch=1'))).toHaveLength(3);
  });

  it('leaves a connection that has gone silent, and goes on from its last version without a list', async () => {
    const { informer, server, changes } = await openInformer(
      {
        list: [listOf(5, configMap('a', 1))],
        watch: [watchThatStays(modified('a', 6)), watchThatStays(modified('a', 7))],
      },
      { idleMs: 1000 },
    );
    informer.start();
    await vi.waitFor(() => expect(changes).toContain('n/a new'), patient);
    await vi.waitFor(
      () => expect(changes.filter((change) => change === 'n/a changed')).toHaveLength(2),
      patient,
    );
    expect(server.seen.filter((url) => !url.includes('watch=1'))).toHaveLength(1);
    expect(server.seen.filter((url) => url.includes('watch=1'))[1]).toContain('resourceVersion=6');
  });

  it('waits as long as a busy server asks, and for credentials that were refused reads them anew', async () => {
    const { informer, server } = await openInformer({
      list: [
        failWith(429, { 'retry-after': '1' }),
        failWith(401),
        failWith(503),
        listOf(5, configMap('a', 1)),
      ],
      watch: [watchThatStays()],
    });
    const startedAt = performance.now();
    informer.start();
    await informer.whenSynced();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1000);
    expect(server.headers[0]?.authorization).toBe('Bearer 0');
    expect(server.headers[2]?.authorization).toBe('Bearer 1');
  });

  it('puts events together that come torn, also in the midst of a letter', async () => {
    const line = Buffer.from(`${JSON.stringify({ ...added('b', 6), note: 'Zürich' })}\n`);
    const { informer, changes } = await openInformer({
      list: [listOf(5)],
      watch: [
        (_, response) => {
          response.writeHead(200);
          let at = 0;
          const next = (): void => {
            if (at < line.length) response.write(line.subarray(at, ++at), () => setImmediate(next));
          };
          next();
        },
      ],
    });
    informer.start();
    await vi.waitFor(() => expect(changes).toEqual(['n/b new']), patient);
  });

  it('tells nobody the same twice when a watch repeats it', async () => {
    const { informer, changes } = await openInformer({
      list: [listOf(5, configMap('a', 4))],
      watch: [watchThatEnds(added('a', 4), added('b', 6)), watchThatStays(added('b', 6), added('c', 7))],
    });
    informer.start();
    await vi.waitFor(() => expect(changes).toEqual(['n/a new', 'n/b new', 'n/c new']), patient);
  });

  it('goes on when a listener throws, and says so', async () => {
    const lines: string[] = [];
    const logger = createLogger({ write: (line) => lines.push(line) });
    const { informer, changes } = await openInformer(
      { list: [listOf(5)], watch: [watchThatStays(added('a', 6), added('b', 7))] },
      { logger },
    );
    informer.onChange(() => {
      throw new RangeError('of a listener');
    });
    informer.start();
    await vi.waitFor(() => expect(changes).toEqual(['n/a new', 'n/b new']), patient);
    expect(lines.filter((line) => line.includes('of a listener'))).toHaveLength(2);
  });

  it('is silent once closed, also when its first list was still under way', async () => {
    const release = Promise.withResolvers<void>();
    const { informer, server, changes } = await openInformer({
      list: [(...args) => void release.promise.then(() => listOf(5, configMap('a', 1))(...args))],
      watch: [watchThatStays(added('b', 6))],
    });
    informer.start();
    await vi.waitFor(() => expect(server.seen).toHaveLength(1), patient);
    const closed = informer.close();
    release.resolve();
    await closed;
    expect(changes).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });

  it('keeps no managed fields and no copies of what was applied', async () => {
    const heavy = configMap('a', 1);
    const metadata = {
      ...heavy.metadata,
      managedFields: [{ manager: 'x' }],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', kept: 'yes' },
    };
    const { informer } = await openInformer({
      list: [listOf(5, { ...heavy, metadata })],
      watch: [watchThatStays()],
    });
    informer.start();
    await informer.whenSynced();
    expect(informer.get('n/a')?.metadata).toEqual({ ...heavy.metadata, annotations: { kept: 'yes' } });
  });
});
