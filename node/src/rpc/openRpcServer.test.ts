import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHexData } from '../primitives/index.ts';
import type { BlockRecord } from '../types/index.ts';
import { openRpcFixture, type RpcFixture } from './rpc.fixture.ts';
import { ACCOUNTS, FRIEND, growBlocks, sign } from './testTransactions.fixture.ts';

const alice = toHexData(ACCOUNTS[0]!);

let rpc: RpcFixture;
let records: BlockRecord[];
beforeAll(async () => {
  rpc = await openRpcFixture();
  records = await growBlocks(rpc);
});
afterAll(() => rpc.close());

const transactionHash = (height: number, index: number) =>
  toHexData(records[height - 1]!.receipts[index]!.transactionHash);

describe('HTTP', () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });

  it('answers a health check with nothing', async () => {
    const answer = await fetch(rpc.url);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it('answers as application/json with a newline, also for a charset and other JSON types', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'application/json-rpc',
      'application/jsonrequest',
    ]) {
      const answer = await rpc.post(body, { 'content-type': type });
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(await answer.text()).toBe('{"jsonrpc":"2.0","id":1,"result":"0xae3f2"}\n');
    }
  });

  it.each(['text/plain', 'application/jsonx', 'application/x-www-form-urlencoded'])(
    'refuses the content type %s',
    async (type) => {
      const answer = await rpc.post(body, { 'content-type': type });
      expect([answer.status, await answer.text()]).toEqual([
        415,
        'invalid content type, only application/json is supported',
      ]);
    },
  );

  it('refuses other paths, other verbs and large bodies', async () => {
    const elsewhere = await fetch(`${rpc.url}/other`, { method: 'POST', body });
    expect([elsewhere.status, await elsewhere.text()]).toEqual([404, '']);
    for (const method of ['PUT', 'DELETE']) {
      const answer = await fetch(rpc.url, { method, headers: { 'content-type': 'application/json' }, body });
      expect([answer.status, await answer.text()]).toEqual([405, 'method not allowed']);
    }
    const large = await rpc.post(' '.repeat(100_001));
    expect([large.status, await large.text()]).toEqual([413, 'content length too large (100001>100000)']);
  });

  it('lets browsers ask first and read the headers of an answer', async () => {
    const preflight = await fetch(rpc.url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST, GET');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
    expect(preflight.headers.get('access-control-max-age')).toBe('600');
    const legacy = { jsonrpc: '2.0', id: 1, method: 'chain_getLedgerTx', params: [transactionHash(2, 0)] };
    const answer = await rpc.post(JSON.stringify(legacy), { origin: 'https://app.example' });
    expect(answer.headers.get('access-control-expose-headers')).toBe('Chain-Legacy-RPC-Deprecation');
  });

  it('counts calls by method, and unknown names as one', async () => {
    await rpc.call('eth_chainId');
    await rpc.call('no_such_method');
    const text = await rpc.metrics.text();
    expect(text).toMatch(/chain_rpc_requests_total\{method="eth_chainId"\} [1-9]/);
    expect(text).toMatch(/chain_rpc_errors_total\{method="unknown",code="-32601"\} [1-9]/);
    expect(text).toMatch(/chain_rpc_duration_seconds_count\{method="eth_chainId"\} [1-9]/);
    expect(text).not.toContain('no_such_method');
  });
});

describe('a chain that does not begin at 1', () => {
  let late: RpcFixture;
  beforeAll(async () => {
    late = await openRpcFixture({ initialHeight: 7, corsOrigins: [] });
  });
  afterAll(() => late.close());

  it('answers before its first block', async () => {
    expect(await late.result('eth_blockNumber')).toBe('0x0');
    expect(await late.result('eth_getBlockByNumber', 'latest', false)).toMatchObject({ number: '0x0' });
    expect(await late.call('eth_feeHistory', '0x1', 'latest', [])).toMatchObject({ error: { code: -32000 } });
    expect(await late.result('eth_getLogs', {})).toEqual([]);
    expect(await late.result('eth_gasPrice')).toMatch(/^0x/);
  });

  it('says that earlier blocks and states are gone', async () => {
    await late.block();
    await late.block(sign(0, { to: FRIEND, value: 5n }));
    const gone = (...missing: string[]) => ({
      code: -32000,
      message: `requested height 3 has been pruned; earliest available is 7 (missing: ${missing.join(', ')})`,
      data: { missing, earliest: '0x7' },
    });
    expect((await late.call('eth_getBlockByNumber', '0x3', false)).error).toEqual(gone('blocks', 'receipts'));
    expect((await late.call('eth_getBalance', alice, '0x3')).error).toEqual(gone('state'));
    expect((await late.call('eth_call', { to: alice }, '0x3')).error).toEqual(gone('state', 'blocks'));
    expect((await late.call('eth_getLogs', { fromBlock: '0x3', toBlock: '0x8' })).error).toEqual({
      code: -32000,
      message: 'requested fromBlock 3 is before earliest available block 7',
      data: { missing: ['receipts'], earliest: '0x7' },
    });
    expect((await late.call('eth_feeHistory', '0x1', '0x3', [])).error).toEqual(gone('blocks', 'receipts'));
    expect(await late.result('eth_feeHistory', '0x9', 'latest', [])).toMatchObject({ oldestBlock: '0x7' });
    expect(await late.result('eth_getBalance', toHexData(FRIEND), 'earliest')).toBe('0x0');
    expect(await late.result('eth_getBalance', toHexData(FRIEND), 'latest')).toBe('0x5');
  });
});
