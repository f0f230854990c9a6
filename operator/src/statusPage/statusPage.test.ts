import { silentLogger } from '@chain/platform';
import { html } from '@chain/platform/pages';
import type { HttpServer } from '@chain/platform/servers';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { durationText } from './durationText.ts';
import { openStatusPage } from './openStatusPage.ts';
import type { StatusSource } from './statusSource.ts';
import type { NodeView, StatusView } from './statusView.ts';

const NOW = 1_800_000_000_000;

const NODE: NodeView = {
  namespace: 'chain',
  name: 'rpc-0',
  fleet: 'rpc',
  role: 'rpc',
  image: 'chain-node:6.5.0',
  phase: 'Migrating',
  height: 123_456,
  blockTime: NOW - 2_000,
  seenAt: NOW - 1_000,
  peers: 4,
  backend: 'pebbledb',
  isSplit: false,
  conditions: [
    { type: 'Ready', status: 'False', reason: 'Migrating', message: 'attempt 1', since: NOW - 60_000 },
  ],
  migration: {
    id: 'evmsplit-9f2c1d',
    kind: 'EvmSplitEnable',
    attempt: 1,
    phase: 'Syncing',
    percent: 40,
    message: '',
    steps: [
      { phase: 'Preflight', from: NOW - 90_000, to: NOW - 60_000 },
      { phase: 'Syncing', from: NOW - 60_000, to: undefined },
    ],
  },
  past: [
    {
      id: 'evmsplit-000000',
      kind: 'EvmSplitEnable',
      result: 'RolledBack',
      durationMs: 5_000,
      reason: 'Aborted',
    },
  ],
};

const VIEW: StatusView = {
  fleets: [
    {
      namespace: 'chain',
      name: 'rpc',
      replicas: 3,
      ready: 2,
      synced: 2,
      split: 0,
      heights: [123_455, 123_456],
      rollout: 'migrating rpc-0',
      isBlocked: false,
    },
  ],
  nodes: [NODE],
  events: [
    {
      at: NOW - 5_000,
      type: 'Normal',
      subject: 'chain/rpc-0',
      reason: 'Syncing',
      note: 'restoring 3 of 9 chunks',
    },
  ],
};

/** A source whose state the test sets. */
class HeldSource implements StatusSource {
  #view = VIEW;
  #revision = 1;
  readonly #listeners = new Set<() => void>();
  view = (): StatusView => this.#view;
  revision = (): number => this.#revision;
  readers = (): number => this.#listeners.size;
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  set(view: StatusView): void {
    this.#view = view;
    this.#revision += 1;
    for (const listener of this.#listeners) listener();
  }
}

let server: HttpServer | undefined;
afterEach(() => server?.close());

async function opened(): Promise<{ readonly source: HeldSource; readonly url: string }> {
  const source = new HeldSource();
  server = await openStatusPage(
    { address: '127.0.0.1', port: 0 },
    { source, clock: { now: () => NOW }, logger: silentLogger },
  );
  return { source, url: `http://127.0.0.1:${server.port}` };
}

describe('the status page', () => {
  it('shows fleets, nodes with their heights and migrations, and the last events', async () => {
    const { url } = await opened();
    const page = await (await fetch(url)).text();
    for (const text of [
      'chain/rpc',
      '2 of 3',
      '123455 – 123456',
      'migrating rpc-0',
      '2 s ago',
      'Syncing',
      '40 %',
      'restoring 3 of 9 chunks',
    ])
      expect(page).toContain(text);
  });

  it('shows the timeline of a migration with the duration of each phase', async () => {
    const { url } = await opened();
    const page = await (await fetch(`${url}/nodes/chain/rpc-0`)).text();
    expect(page).toMatch(/Preflight.*30 s/);
    expect(page).toMatch(/Syncing.*1 min/);
    expect(page).toContain('RolledBack');
  });

  it('answers a reader that has seen the present state at the next change', async () => {
    const { source, url } = await opened();
    const next = fetch(`${url}/live/nodes/chain/rpc-0?seen=1`);
    await expect.poll(() => source.readers()).toBe(1);
    source.set({ ...VIEW, nodes: [{ ...NODE, phase: 'Running' }] });
    const answer = await next;
    expect(answer.headers.get('etag')).toBe('2');
    expect(await answer.text()).toContain('Running');
    expect(source.readers()).toBe(0);
  });

  it('forgets a reader that went away', async () => {
    const { source, url } = await opened();
    const leave = new AbortController();
    const answer = fetch(`${url}/live/?seen=1`, { signal: leave.signal });
    await expect.poll(() => source.readers()).toBe(1);
    leave.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(() => source.readers()).toBe(0);
  });

  it('says that a node is not there, on the page and live', async () => {
    const { url } = await opened();
    for (const path of ['/nodes/chain/gone', '/live/nodes/chain/gone?seen=0']) {
      const answer = await fetch(url + path);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('No such node');
    }
  });

  it('lets nothing from elsewhere and nothing inline act, and takes no writes', async () => {
    const { url } = await opened();
    const { headers } = await fetch(url);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  });

  it('escapes every text of a resource', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(html`${text}`.text).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
      }),
    );
  });

  it.each([
    [0, '0 s'],
    [59_400, '59 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [356_400_000, '4 d 3 h'],
    [-5, '0 s'],
  ])('says %d ms as %s', (ms, text) => expect(durationText(ms)).toBe(text));
});
