import { chromium } from 'playwright-core';
const [url, out] = process.argv.slice(2);
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const p = await b.newPage({ viewport: { width: 1150, height: 640 } });
await p.goto(url!); await p.waitForFunction(() => document.querySelector('#live')?.textContent === 'live');
await p.screenshot({ path: out! });
await b.close();
