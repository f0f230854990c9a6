import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeDeployData } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddress } from '../../node/src/evm/index.ts';
import { hexToBytes, toHexData } from '../../node/src/primitives/index.ts';
import { ACCOUNTS, sign } from '../../node/src/rpc/testTransactions.fixture.ts';
import { compileContracts } from '../support/contracts.ts';
import { type ExplorerFixture, MARKUP, openExplorerFixture } from '../support/explorer.ts';

let explorer: ExplorerFixture;
beforeAll(async () => {
  explorer = await openExplorerFixture();
});
afterAll(() => explorer.close());

/** Every page, by what it is about. */
function everyPage(): string[] {
  const { transfer, failed, counted } = explorer.transactions;
  return [
    '/',
    '/block/2',
    '/block/999',
    ...[transfer, failed, counted].flatMap((hash) =>
      ['', '/calls', '/state', '/steps'].map((part) => `/tx/${hash}${part}`),
    ),
    `/address/${explorer.token}`,
    `/address/${explorer.counter}?slot=0`,
    `/address/${explorer.counter}/transactions`,
    '/mempool',
    '/validators',
    `/search?q=${encodeURIComponent(MARKUP)}`,
    `/block/${encodeURIComponent(MARKUP)}`,
    `/tx/${encodeURIComponent(MARKUP)}`,
    `/address/${encodeURIComponent(MARKUP)}`,
    '/no/such/page',
  ];
}

describe('the explorer', () => {
  it('answers browsers at the port of JSON-RPC, and health checks and calls as ever', async () => {
    const home = await explorer.page('/');
    expect(home.status).toBe(200);
    expect(home.html).toContain('href="/block/6"');
    expect(home.html).toContain(`href="/tx/${explorer.transactions.failed}"`);
    const check = await fetch(explorer.url);
    expect([check.status, await check.text()]).toEqual([200, '']);
    const other = await fetch(`${explorer.url}/other`);
    expect([other.status, await other.text()]).toEqual([404, '']);
    expect(await explorer.result('eth_chainId')).toBe('0xae3f2');
  });

  it('escapes all that the chain and the address bar say, and lets nothing inline run', async () => {
    for (const path of everyPage()) {
      const answer = await fetch(explorer.url + path, { headers: { accept: 'text/html' } });
      const text = await answer.text();
      expect([path, text.includes(MARKUP)]).toEqual([path, false]);
      expect(text.match(/<script/g)).toHaveLength(1);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      expect(text).not.toMatch(/ style=| on\w+=|https?:\/\/(?!www\.w3\.org)/);
    }
    const { html } = await explorer.page(`/address/${explorer.token}`);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('shows token transfers, and why a transaction failed', async () => {
    const transfer = await explorer.page(`/tx/${explorer.transactions.transfer}`);
    expect(transfer.html).toContain('Token transfers');
    expect(transfer.html).toContain('Transfer(address,address,uint256)');
    const failed = await explorer.page(`/tx/${explorer.transactions.failed}`);
    expect(failed.html).toContain('failed');
    expect(failed.html).toContain('Error(message: &quot;no luck&quot;)');
  });

  it('draws the calls of a transaction, lists its steps and what it changed', async () => {
    const { counted } = explorer.transactions;
    const calls = await explorer.page(`/tx/${counted}/calls`);
    expect(calls.html).toContain('<svg class="flame"');
    expect(calls.html).toContain('id="call-0"');
    const steps = await explorer.page(`/tx/${counted}/steps`);
    expect(steps.html).toContain('<code>SLOAD</code>');
    const state = await explorer.page(`/tx/${counted}/state`);
    expect(state.html).toContain('Nonce');
    const slot = await explorer.page(`/address/${explorer.counter}?slot=0x0`);
    expect(slot.html).toContain(`>0x${'4'.padStart(64, '0')}</pre>`);
  });

  it('leads a search to blocks, transactions and addresses', async () => {
    const { counted } = explorer.transactions;
    const places = {
      '2': '/block/2',
      '1,000': '/block/1000',
      [counted]: `/tx/${counted}`,
      [explorer.token]: `/address/${explorer.token}`,
      chain1t77myv2k0zh7evm87qedj0my9ajpsz4rhpsc8e: '/address/chain1t77myv2k0zh7evm87qedj0my9ajpsz4rhpsc8e',
    };
    for (const [text, place] of Object.entries(places)) {
      const answer = await fetch(`${explorer.url}/search?q=${text}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, place]);
    }
    expect((await explorer.page('/search?q=nothing')).status).toBe(404);
    expect((await explorer.page('/search')).status).toBe(200);
  });

  it('says 404 of what is not there, and 400 of what is no slot', async () => {
    for (const path of [
      '/block/999',
      '/block/x',
      `/tx/0x${'0'.repeat(64)}`,
      '/tx/0x12',
      '/address/0x12',
      '/x',
    ]) {
      expect([path, (await explorer.page(path)).status]).toEqual([path, 404]);
    }
    expect((await explorer.page(`/address/${explorer.token}?slot=x`)).status).toBe(400);
  });

  it('pushes the newest blocks to open windows', async () => {
    const answer = await fetch(`${explorer.url}/explorer/live`);
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain(': open');
    const { block } = await explorer.block();
    const { height } = block.header;
    let text = '';
    while (!text.includes(`/block/${height}"`)) text += (await reader.read()).value;
    await reader.cancel();
  });
});

describe('the functions of a contract', () => {
  const artifacts = mkdtempSync(join(tmpdir(), 'artifacts-'));
  let fixture: ExplorerFixture;
  let address: string;
  beforeAll(async () => {
    fixture = await openExplorerFixture({}, { artifacts: [artifacts] });
    const { Token } = compileContracts();
    const data = encodeDeployData({ ...Token, args: ['Example', 'EXM'] });
    await fixture.block(sign(0, { nonce: 2n, gasLimit: 3_000_000n, data: hexToBytes(data.slice(2)) }));
    address = toHexData(createAddress(ACCOUNTS[0]!, 2n));
    const deployedBytecode = await fixture.result('eth_getCode', address, 'latest');
    const artifact = { contractName: MARKUP, abi: Token.abi, deployedBytecode };
    mkdirSync(join(artifacts, 'Token.sol'));
    writeFileSync(join(artifacts, 'Token.sol', 'Token.json'), JSON.stringify(artifact));
    writeFileSync(join(artifacts, 'broken.json'), '{');
  });
  afterAll(async () => {
    await fixture.close();
    rmSync(artifacts, { recursive: true });
  });

  it('are listed with the name that its build artefact gives, as text', async () => {
    const { html } = await fixture.page(`/address/${address}/contract`);
    expect(html).toContain('Functions of &lt;script&gt;');
    expect(html).not.toContain(MARKUP);
    for (const signature of ['balanceOf(address)', 'transfer(address,uint256)'])
      expect(html).toContain(signature);
  });

  it('answer reads, and say why they refuse', async () => {
    const holder = toHexData(ACCOUNTS[0]!);
    const read = await fixture.page(`/address/${address}/contract?f=0x70a08231&a0=${holder}`);
    expect(read.html).toContain('<dd class="text">0</dd>');
    expect((await fixture.page(`/address/${address}/contract?f=0x70a08231&a0=nobody`)).status).toBe(400);
    expect((await fixture.page(`/address/${address}/contract?f=0x00000000`)).status).toBe(404);
  });

  it('prepare writes for an account, and send nothing', async () => {
    const height = await fixture.result('eth_blockNumber');
    const query = `f=0xa9059cbb&a0=${toHexData(ACCOUNTS[1]!)}&a1=5`;
    const { html } = await fixture.page(`/address/${address}/contract?${query}`);
    expect(html).toContain(`data-input="0xa9059cbb${toHexData(ACCOUNTS[1]!).slice(2).padStart(64, '0')}`);
    expect(await fixture.result('eth_blockNumber')).toBe(height);
  });
});

describe('the limits of the explorer', () => {
  it('are those of JSON-RPC: hosts, namespaces and rates', async () => {
    const narrow = await openExplorerFixture({ apis: ['eth'] });
    const calls = await narrow.page(`/tx/${narrow.transactions.counted}/calls`);
    expect([calls.status, calls.html.includes('debug_traceTransaction')]).toEqual([502, true]);
    const status = await new Promise((resolve) => {
      const asked = request(
        narrow.url,
        { headers: { host: 'evil.example', accept: 'text/html' } },
        (answer) => resolve(answer.statusCode),
      );
      asked.end();
    });
    expect(status).toBe(403);
    await narrow.close();
  });

  it('bound pages and windows at once', async () => {
    const busy = await openExplorerFixture({}, { maxPages: 0, maxStreams: 0 });
    expect((await busy.page('/')).status).toBe(503);
    expect((await fetch(`${busy.url}/explorer/live`)).status).toBe(204);
    await busy.close();
  });
});
