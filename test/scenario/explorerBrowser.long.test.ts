import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingChromium, openBrowser } from '../support/browser.ts';
import { type ExplorerFixture, MARKUP, openExplorerFixture } from '../support/explorer.ts';
import { leftOutIf } from '../support/required.ts';

const PHONE = { width: 375, height: 740 };

describe('the explorer in a browser', leftOutIf('the explorer in a browser', missingChromium()), () => {
  let browser: Browser;
  let explorer: ExplorerFixture;
  beforeAll(async () => {
    browser = await openBrowser();
    explorer = await openExplorerFixture();
  });
  afterAll(async () => {
    await browser?.close();
    await explorer?.close();
  });

  /** Runs `look` over a window; anything that the page complains of fails the test. */
  async function inWindow(
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
    await look(page);
    await context.close();
    expect(complaints.filter((text) => !text.includes('status of 404'))).toEqual([]);
  }

  function paths(): string[] {
    const { transfer, failed, counted } = explorer.transactions;
    return [
      '/',
      '/block/2',
      '/block/999',
      `/tx/${transfer}`,
      `/tx/${failed}`,
      `/tx/${failed}/calls`,
      `/tx/${counted}/state`,
      `/tx/${counted}/steps`,
      `/address/${explorer.token}`,
      `/address/${explorer.counter}?slot=0`,
      `/address/${explorer.counter}/contract`,
      `/address/${explorer.counter}/transactions`,
      '/mempool',
      '/search?q=nothing',
    ];
  }

  it.each([
    ['light', { width: 1280, height: 900 }],
    ['dark', PHONE],
  ] as const)(
    'has no fault that axe finds in %s, and nothing wider than the window',
    async (colorScheme, viewport) => {
      await inWindow({ colorScheme, viewport }, async (page) => {
        for (const path of paths()) {
          await page.goto(explorer.url + path);
          await page.evaluate(axe.source);
          const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
          const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
          expect([path, found]).toEqual([path, []]);
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect([path, overflow]).toEqual([path, 0]);
        }
      });
    },
  );

  it('shows a token that calls itself a script as text', async () => {
    await inWindow({}, async (page) => {
      await page.goto(`${explorer.url}/address/${explorer.token}`);
      expect(await page.locator('dl.facts').first().textContent()).toContain(MARKUP);
      expect(await page.locator('main script').count()).toBe(0);
    });
  });

  it('shows each new block without a reload, and is whole without JavaScript', async () => {
    await inWindow({}, async (page) => {
      await page.goto(explorer.url);
      const { block } = await explorer.block();
      await page.locator(`main a[href="/block/${block.header.height}"]`).waitFor();
      expect(await page.locator('#live').textContent()).toBe('live');
    });
    await inWindow({ javaScriptEnabled: false }, async (page) => {
      await page.goto(explorer.url);
      await page.fill('#q', '2');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/block/2');
      expect(await page.locator('h1').textContent()).toBe('Block 2');
    });
  });

  it('is reached by keyboard: the first key leads past the header, a slash to the search', async () => {
    await inWindow({}, async (page) => {
      await page.goto(`${explorer.url}/block/2`);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
      await page.keyboard.press('/');
      expect(await page.evaluate('document.activeElement.id')).toBe('q');
    });
  });
});
