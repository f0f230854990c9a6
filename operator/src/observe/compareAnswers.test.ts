import { afterEach, describe, expect, it } from 'vitest';
import { type ComparisonOptions, compareAnswers } from './compareAnswers.ts';
import { type RpcServer, type ServedChain, serveChain } from './rpcServer.fixture.ts';

const opened: RpcServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

async function compare(candidate: ServedChain, trusted: ServedChain, options?: ComparisonOptions) {
  const servers = [await serveChain(candidate), await serveChain(trusted)] as const;
  opened.push(...servers);
  const outcome = compareAnswers(servers[0].url, servers[1].url, options);
  return { outcome, servers };
}

const FULL: ServedChain = { head: 40, transactions: { 40: 2 } };
/** Block, receipts, logs, traces; balance and nonce of two accounts. */
const QUESTIONS = 8;

describe('answers of two nodes', () => {
  it('are the same', async () => {
    const { outcome } = await compare(FULL, FULL);
    expect(await outcome).toEqual({ compared: QUESTIONS, differences: [] });
  });

  it('differ in a result, which is shown with its question', async () => {
    const { outcome } = await compare({ ...FULL, balance: '0x2' }, FULL);
    const { differences } = await outcome;
    expect(differences).toHaveLength(2);
    expect(differences[0]).toMatch(/^eth_getBalance \["0x(11){20}","0x28"\]: "0x2", not "0x1"$/);
  });

  it('differ in an error, and an error of both is the same answer', async () => {
    const denied = { error: { code: -32601, message: 'no such method' } };
    const busy = { error: { code: -32000, message: 'busy' } };
    const withTrace = (debug_traceBlockByNumber: object) => ({
      ...FULL,
      instead: { debug_traceBlockByNumber },
    });
    const oneDenies = await compare(withTrace(denied), FULL);
    expect((await oneDenies.outcome).differences).toEqual([
      expect.stringMatching(/^debug_traceBlockByNumber .*: "error: -32601 no such method", not \[/),
    ]);
    const bothDeny = await compare(withTrace(denied), withTrace(denied));
    expect((await bothDeny.outcome).differences).toEqual([]);
    const otherwise = await compare(withTrace(denied), withTrace(busy));
    expect((await otherwise.outcome).differences).toHaveLength(1);
  });

  it('are not compared when one hangs beyond its time, is not there, or answers no JSON-RPC', async () => {
    const chain = (debug_traceBlockByNumber: 'hang' | 'html') => ({
      ...FULL,
      instead: { debug_traceBlockByNumber },
    });
    // Two that hang alike have not given the same answer.
    const hangs = await compare(chain('hang'), chain('hang'), { timeoutMs: 1_000 });
    await expect(hangs.outcome).rejects.toThrow(/http:\S+ does not answer \w+: nothing within 1 s/);
    const behindProxy = await compare(chain('html'), FULL);
    await expect(behindProxy.outcome).rejects.toMatchObject({ code: 'OBSERVE_NO_ANSWER' });
    const trusted = await serveChain(FULL);
    opened.push(trusted);
    const nobody = compareAnswers('http://127.0.0.1:1', trusted.url);
    await expect(nobody).rejects.toThrow(/127\.0\.0\.1:1 does not answer eth_blockNumber: .+/);
  });
});

describe('the block that is compared', () => {
  const blockAsked = ({ asked }: RpcServer) => asked.find((one) => one.startsWith('eth_getBlockByNumber'));

  it('is the newest with transactions that both have, also when one lags', async () => {
    const busy = { head: 40, transactions: { 40: 1, 38: 3, 17: 1, 5: 9 } };
    const { outcome, servers } = await compare({ ...busy, head: 37 }, busy);
    expect((await outcome).compared).toBe(QUESTIONS);
    expect(servers.map(blockAsked)).toEqual(['eth_getBlockByNumber 17', 'eth_getBlockByNumber 17']);
  });

  it('is the newest where all within reach are empty', async () => {
    const { outcome, servers } = await compare(
      { head: 400, transactions: { 100: 1 } },
      { head: 399, transactions: { 100: 1 } },
      { lookBack: 50 },
    );
    expect((await outcome).compared).toBe(4);
    expect(blockAsked(servers[0])).toBe('eth_getBlockByNumber 399');
    const counted = servers[1].asked.filter((one) => one.startsWith('eth_getBlockTransactionCount'));
    expect(counted).toHaveLength(50);
  });

  it('is none below where one of them begins', async () => {
    const chain = { head: 40, transactions: { 30: 1, 35: 0 } };
    const { outcome, servers } = await compare({ ...chain, floor: 33 }, chain);
    expect((await outcome).differences).toEqual([]);
    expect(blockAsked(servers[0])).toBe('eth_getBlockByNumber 40');
  });

  it('shows a candidate that has lost the transactions', async () => {
    const { outcome } = await compare({ head: 40 }, { head: 40, transactions: { 39: 1 } });
    const methods = (await outcome).differences.map((difference) => difference.split(' ')[0]);
    expect(methods).toContain('eth_getBlockByNumber');
    expect(methods).toContain('eth_getBlockReceipts');
  });
});
