import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChainNode } from '../../operator/src/api/index.ts';
import { openStatusPage, type StatusSource, viewOf } from '../../operator/src/statusPage/index.ts';
import { silentLogger, systemClock } from '../../platform/src/index.ts';
import type { HttpServer } from '../../platform/src/servers/index.ts';
import { missingChromium, openBrowser } from '../support/browser.ts';
import { leftOutIf } from '../support/required.ts';

const MARKUP = '<img src=x onerror="document.title=1">';

/** One node whose height and message the test sets. */
function source(): StatusSource & { set(height: number): void } {
  let revision = 0;
  let height = 100;
  const listeners = new Set<() => void>();
  const node = (): ChainNode =>
    ({
      metadata: { namespace: 'chain', name: 'rpc-0' },
      spec: { role: 'rpc' },
      status: {
        phase: 'Migrating',
        chain: { height },
        migration: {
          id: 'evmsplit-9f2c1d',
          kind: 'EvmSplitEnable',
          attempt: 1,
          phase: 'Syncing',
          message: MARKUP,
          timeline: [
            {
              phase: 'Preflight',
              attempt: 1,
              startedAt: '2026-01-01T00:00:00Z',
              finishedAt: '2026-01-01T00:00:30Z',
            },
          ],
        },
      },
    }) as unknown as ChainNode;
  return {
    revision: () => revision,
    view: () => viewOf({ fleets: [], nodes: [node()], events: [] }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: (value) => {
      height = value;
      revision += 1;
      for (const listener of listeners) listener();
    },
  };
}

describe('the status page in a browser', leftOutIf('the status page in a browser', missingChromium()), () => {
  let browser: Browser;
  let server: HttpServer | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(() => server?.close());

  async function open(facts: StatusSource) {
    server = await openStatusPage(
      { address: '127.0.0.1', port: 0 },
      { source: facts, clock: systemClock, logger: silentLogger },
    );
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${server.port}/`);
    return { page, complaints };
  }

  it('shows new heights without being loaded again', async () => {
    const facts = source();
    const { page, complaints } = await open(facts);
    await page.getByRole('cell', { name: '100', exact: true }).waitFor();
    facts.set(12_345);
    await page.getByRole('cell', { name: '12345', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('leads from a node to its timeline, and shows markup of a message as text', async () => {
    const { page } = await open(source());
    await page.getByRole('link', { name: 'chain/rpc-0' }).click();
    await page.getByText('Preflight').waitFor();
    await page.getByText(MARKUP).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Chain operator');
  });

  it('says that the connection is lost, and goes on when it is back', async () => {
    const facts = source();
    const { page } = await open(facts);
    await page.getByText('live', { exact: true }).waitFor();
    const { port } = server!;
    await server!.close();
    await page.getByText('connection lost, trying again').waitFor();
    server = await openStatusPage(
      { address: '127.0.0.1', port },
      { source: facts, clock: systemClock, logger: silentLogger },
    );
    await page.getByText('live', { exact: true }).waitFor();
  });
});
