import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { createHomes } from '../support/madeChain.ts';
import { RpcFailure, rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

/** `for (;;);` as creation code: runs until its gas or its time is up. */
const ENDLESS = { data: '0x5b600056', gas: '0xffffffffffff' };
/** BLAKE2b (0x09) with as many rounds as can be written: more than a minute inside one precompile. */
const ENDLESS_ROUNDS = {
  to: `0x${'9'.padStart(40, '0')}`,
  data: `0xffffffff${'00'.repeat(209)}`,
  gas: '0xffffffffffff',
};
/** `for (i = 655,359; i ≠ 0; i--)`: some 17 Mgas, more than is tried on the main thread. */
const LONG = { data: '0x6209ffff5b600190038060045700' };
/** Returns a zero word and the hash of the block before: what begins with 0xef would be no code. */
const LAST_HASH = { data: '0x600143034060205260406000f3' };

const homes = createHomes();
afterAll(() => homes.remove());

const setting = (name: string, value: string | number) => ['--set', `evm.${name}=${value}`];

describe('heavy calls beside light ones', () => {
  let node: DevNode;
  beforeAll(async () => {
    node = await startDevNode({
      home: homes.fresh(),
      args: [
        ...setting('simulation_gas_limit', '1000000000000'),
        ...setting('simulation_evm_timeout', '3s'),
        ...setting('worker_pool_size', 2),
        ...setting('max_concurrent_simulation_calls', 2),
        ...setting('worker_queue_size', 2),
      ],
    });
  });
  afterAll(() => node.stop());

  const jobs = async (): Promise<number> => {
    const text = await (await fetch(`${node.adminUrl}/metrics`)).text();
    return Number(/chain_threads_job_seconds_count{kind="call"} (\d+)/.exec(text)?.[1] ?? 0);
  };

  it.each([
    ['a loop', ENDLESS],
    ['a precompile', ENDLESS_ROUNDS],
  ])('answers light calls while %s runs, which ends at its time limit', async (_what, call) => {
    let answers = 0;
    // Again where the machine is too busy for so many answers in its time.
    while (answers < 20) {
      let ended = false;
      const heavy = rpcCall(node.url, 'eth_call', [call, 'latest']).catch((error: RpcFailure) => {
        ended = true;
        return error;
      });
      while (!ended && answers < 500) {
        await rpcCall(node.url, 'eth_blockNumber');
        expect((await fetch(`${node.adminUrl}/livez`)).status).toBe(200);
        await rpcCall(node.url, 'eth_call', [LAST_HASH, 'latest']);
        if (!ended) answers++;
      }
      expect(await heavy).toMatchObject({ code: -32000, message: 'execution aborted (timeout = 3s)' });
    }
  });

  it('takes precompiles whose price is above the bound to a worker thread, each number of rounds alike', async () => {
    const before = await jobs();
    for (let rounds = 500_000; rounds < 500_010; rounds++) {
      const data = `0x${rounds.toString(16).padStart(8, '0')}${'00'.repeat(209)}`;
      const answer = await rpcCall(node.url, 'eth_call', [{ ...ENDLESS_ROUNDS, data }, 'latest']);
      expect(answer).toMatch(/^0x[0-9a-f]{128}$/);
    }
    expect(await jobs()).toBe(before + 10);
  });

  it('gives from a worker thread what it would give here', async () => {
    const before = await jobs();
    expect(await rpcCall(node.url, 'eth_call', [LONG, 'latest'])).toBe('0x');
    const here = await rpcCall(node.url, 'eth_estimateGas', [LAST_HASH, '0x1']);
    expect(BigInt(here as string)).toBeGreaterThan(21_000n);
    expect(await jobs()).toBeGreaterThan(before);
  });

  it('ends a call whose client is gone, and refuses what does not fit into the queue', async () => {
    const before = await jobs();
    const gone = new AbortController();
    const call = () =>
      fetch(node.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [ENDLESS, 'latest'] }),
        signal: gone.signal,
      }).then(
        (answer) => answer.json(),
        () => 'cut',
      );
    const cut: Promise<unknown>[] = [];
    const refusal = await until('the queue is full', async () => {
      // On a busy machine those of the last round may have come too late, or be over.
      cut.push(call(), call(), call(), call());
      const error = await rpcCall(node.url, 'eth_call', [ENDLESS, 'latest']).catch((it: RpcFailure) => it);
      return error instanceof RpcFailure && error.code === -32005 ? error : undefined;
    });
    expect(refusal).toMatchObject({ data: { retryAfterMs: expect.any(Number) } });
    gone.abort();
    expect(await Promise.all(cut)).toContain('cut');
    await until('the thread is free again', async () => (await jobs()) > before);
    expect(await rpcCall(node.url, 'eth_call', [LONG, 'latest'])).toBe('0x');
  });
});

describe('a node that stops under heavy calls', () => {
  it('answers them that it is stopping, and ends in order', async () => {
    const node = await startDevNode({
      home: homes.fresh(),
      args: [
        ...setting('simulation_gas_limit', '1000000000000'),
        ...setting('simulation_evm_timeout', '10m'),
        ...setting('worker_pool_size', 2),
      ],
    });
    const calls = Array.from({ length: 6 }, () =>
      rpcCall(node.url, 'eth_call', [ENDLESS, 'latest']).catch((error: unknown) => error),
    );
    const running = async (): Promise<true | undefined> => {
      const text = await (await fetch(`${node.adminUrl}/metrics`)).text();
      return /chain_threads_queued_jobs 4$/m.test(text) || undefined;
    };
    await until('two calls run and four wait', running);
    expect(await node.stop()).toBe(0);
    for (const error of await Promise.all(calls)) {
      expect(error).toMatchObject({ code: -32000, message: 'the node is stopping' });
    }
  });
});
