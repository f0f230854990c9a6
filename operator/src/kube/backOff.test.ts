import { type CodedError, createLogger, silentLogger } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Backoff } from './client/backoff.ts';
import { kubeError } from './client/kubeErrors.ts';
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
import { Controller, Informer, KINDS, type KubeClient, LeaderElection, runtimeMetrics } from './index.ts';

function lines() {
  const all: { level: string; msg: string }[] = [];
  const logger = createLogger({ write: (line) => all.push(JSON.parse(line) as never) });
  const told = () => all.map(({ level, msg }) => `${level} ${msg}`);
  return { logger, told };
}

const answered = (status: number, retryAfter?: string): CodedError =>
  kubeError('list', { status, body: '', retryAfter });

describe('what fails', () => {
  const backoff = (random: number) =>
    new Backoff(
      { what: 'It', fields: {}, minMs: 500, maxMs: 30_000 },
      { logger: silentLogger, random: () => random },
    );

  it.each([403, 401, 500, 503])('waits twice as long after each %i, up to a limit, with jitter', (status) => {
    const waits = (random: number) => {
      const one = backoff(random);
      return Array.from({ length: 9 }, () => one.failed(answered(status)));
    };
    const longest = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000];
    expect(waits(1)).toEqual(longest);
    expect(waits(0)).toEqual(longest.map((ms) => ms / 2));
  });

  it('waits no less than the server asks for, nor for ever', () => {
    expect(backoff(0).failed(answered(429, '7'))).toBe(7000);
    expect(backoff(0).failed(answered(503, '86400'))).toBe(300_000);
  });

  it('begins anew once it has worked for a while', () => {
    const one = backoff(1);
    for (let failure = 0; failure < 20; failure++) one.failed(answered(403));
    one.worked();
    one.reset();
    expect([one.problem, one.failed(answered(403))]).toEqual([undefined, 500]);
  });
});

describe('an informer that is refused', () => {
  async function follow(answers: { readonly list: readonly Answer[]; readonly watch: readonly Answer[] }) {
    const server = await openFaultyServer(answers);
    const { logger, told } = lines();
    const informer = new Informer(
      { kind: KINDS.configMap, namespaces: [], maxBackoffMs: 10 },
      { transport: server.transport, logger },
    );
    onTestFinished(async () => {
      await informer.close();
      await server.close();
    });
    informer.start();
    return { informer, server, told };
  }
  const times = (count: number, answer: Answer) => Array.from({ length: count }, () => answer);
  const FAILS = 'warn Following a kind fails, and is tried again';
  const WORKS = 'info Following a kind works again';

  it('tells each trouble once and its end once, and has its objects with the first answer', async () => {
    const { informer, told, server } = await follow({
      // Credentials that are refused are read anew: two requests each.
      list: [
        ...times(6, failWith(403)),
        ...times(8, failWith(401)),
        ...times(5, failWith(503)),
        listOf(5, configMap('a', 1)),
      ],
      watch: [watchThatStays()],
    });
    await informer.whenSynced();
    await vi.waitFor(() => expect(told()).toEqual([FAILS, FAILS, FAILS, WORKS]), patient);
    expect(informer.keys()).toEqual(['n/a']);
    expect(informer.problem).toBeUndefined();
    expect(server.seen.filter((url) => !url.includes('watch=1'))).toHaveLength(20);
  });

  it('says why while it is so, and that it goes on', async () => {
    const { informer } = await follow({ list: [failWith(403)], watch: [watchThatStays()] });
    await vi.waitFor(() => expect(informer.problem).toMatch(/says 403 .*grant it to the operator/), patient);
    expect(informer.isSynced).toBe(false);
    // Its loop turns: a restart of the process would not help.
    let before = 0;
    const turned = (): boolean => {
      const now = informer.stuckMs;
      const isLess = now < before;
      before = now;
      return isLess;
    };
    await expect.poll(turned, { interval: 1 }).toBe(true);
  });

  it('is refused the watch alone: it lists once, and follows from there when it may', async () => {
    const { told, server } = await follow({
      list: [listOf(5, configMap('a', 1))],
      watch: [...times(7, failWith(403)), watchThatStays()],
    });
    await vi.waitFor(() => expect(told()).toEqual([FAILS, WORKS]), patient);
    expect(server.seen.filter((url) => !url.includes('watch=1'))).toHaveLength(1);
  });

  it('is told once of a watch that breaks off again and again behind its first byte', async () => {
    const broken = { type: 'ERROR', object: { kind: 'Status', code: 500, message: 'etcd is not there' } };
    const { told, server } = await follow({
      list: [listOf(5, configMap('a', 1))],
      watch: [
        ...times(7, watchThatEnds(broken)),
        watchThatStays({ type: 'ADDED', object: configMap('b', 6) }),
      ],
    });
    await vi.waitFor(() => expect(told()).toEqual([FAILS, WORKS]), patient);
    expect(server.seen.filter((url) => url.includes('watch=1'))).toHaveLength(8);
  });
});

describe('a controller', () => {
  function open(reconcile: (key: string) => Promise<object>, workers = 2) {
    const { logger, told } = lines();
    const controller = new Controller(
      { name: 'c', workers, resyncMs: 3_600_000 },
      { reconcile, keys: () => [], metrics: runtimeMetrics(createMetricsRegistry()), logger },
    );
    onTestFinished(() => controller.close());
    controller.start();
    return { controller, told };
  }

  it('tells once why a key fails, and lets others go on when the API server allows it again, but not before it asked', async () => {
    let isAllowed = false;
    const seen: string[] = [];
    const { controller, told } = open(async (key) => {
      seen.push(key);
      if (!isAllowed) throw answered(403, key === 'n/b' ? '2' : undefined);
      return {};
    });
    controller.enqueue('n/b');
    const askedAt = performance.now();
    controller.enqueue('n/a');
    await vi.waitFor(() => expect(seen.filter((key) => key === 'n/a').length).toBeGreaterThan(4), patient);
    expect(told()).toEqual(['warn A reconciliation failed', 'warn A reconciliation failed']);
    expect(seen.filter((key) => key === 'n/b')).toHaveLength(1);
    isAllowed = true;
    await vi.waitFor(() => expect(seen.filter((key) => key === 'n/b')).toHaveLength(2), patient);
    expect(performance.now() - askedAt).toBeGreaterThan(1_900);
    await vi.waitFor(
      () => expect(told().slice(2)).toEqual(Array(2).fill('info A reconciliation works again')),
      patient,
    );
  });

  it('says for how long work has waited while no worker moved, and only then', async () => {
    const release = Promise.withResolvers<object>();
    const { controller } = open(() => release.promise, 1);
    controller.enqueue('n/a');
    await new Promise(setImmediate);
    // One look that takes long, and nobody waits for its worker.
    expect(controller.stuckMs).toBe(0);
    controller.enqueue('n/b');
    await vi.waitFor(() => expect(controller.stuckMs).toBeGreaterThan(20), patient);
    release.resolve({});
    await vi.waitFor(() => expect(controller.stuckMs).toBe(0), patient);
  });
});

it('a lease that is refused is asked for ever more seldom, and told of once', async () => {
  const { logger, told } = lines();
  let asked = 0;
  const client = {
    get: async () => {
      if (++asked <= 6) throw answered(403);
      return undefined;
    },
    create: async (_: unknown, lease: object) => lease,
    replace: async (_: unknown, lease: object) => lease,
  } as unknown as KubeClient;
  const election = new LeaderElection(
    { namespace: 'n', name: 'l', identity: 'me', leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2 },
    { client, logger },
  );
  expect(await election.acquire()).toBe(true);
  expect(told()).toEqual([
    'warn Asking for the lease fails, and is tried again',
    'info Asking for the lease works again',
  ]);
  await election.close();
});
