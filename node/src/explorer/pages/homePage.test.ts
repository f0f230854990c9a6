import { expect, it } from 'vitest';
import { type AskRpc, RpcReader } from '../chain/rpcReader.ts';
import type { PageRequest } from '../server/pageRequest.ts';
import { homePage } from './homePage.ts';

const TRANSACTION = { hash: `0x${'1'.repeat(64)}`, from: `0x${'2'.repeat(40)}`, to: null, value: '0x0' };

/** Whether each block was asked for whole, on a chain with so many transactions a block. */
async function askedFor(perBlock: number): Promise<readonly boolean[]> {
  const asked: boolean[] = [];
  const ask: AskRpc = async (method, params) => {
    if (method === 'eth_blockNumber') return { result: '0x64' };
    const isWhole = params[1] === true;
    asked.push(isWhole);
    const transactions = Array.from({ length: perBlock }, () => (isWhole ? TRANSACTION : TRANSACTION.hash));
    return {
      result: {
        number: params[0],
        hash: TRANSACTION.hash,
        timestamp: '0x1',
        gasUsed: '0x1',
        gasLimit: '0x2',
        baseFeePerGas: '0x1',
        size: '0x1',
        transactions,
      },
    };
  };
  const rpc = new RpcReader(ask, { client: 'a', signal: new AbortController().signal });
  await homePage(() => [])({ rpc, now: 0 } as unknown as PageRequest);
  return asked;
}

it('asks for as many whole blocks as it shows transactions of, however full blocks are', async () => {
  const full = await askedFor(1000);
  expect(full[0]).toBe(true);
  expect(full.slice(1)).not.toContain(true);
  const empty = await askedFor(0);
  expect(empty.length).toBeGreaterThan(full.length);
  expect(empty).not.toContain(false);
});
