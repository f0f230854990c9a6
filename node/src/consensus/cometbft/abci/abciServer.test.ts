import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError, silentLogger } from '@chain/platform';
import { Request, RequestCheckTx, Response } from 'cosmjs-types/tendermint/abci/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AbciHandlers } from './abciHandlers.ts';
import { type AbciServer, openAbciServer } from './abciServer.ts';
import { FrameReader, frame } from './frames.ts';
import { NO_SNAPSHOTS } from './noSnapshots.ts';

let directory: string;
let server: AbciServer | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'abci-'));
});
afterEach(async () => {
  await server?.close();
  rmSync(directory, { recursive: true });
});

const app = (handlers: Partial<AbciHandlers>) => ({ ...NO_SNAPSHOTS, ...handlers }) as AbciHandlers;
const checked = { data: new Uint8Array(0), log: '', info: '', gasUsed: 0n, events: [], codespace: '' };

/** Sends all at once, as CometBFT pipelines them, and waits for as many answers. */
async function ask(address: string, requests: readonly Request[]): Promise<Response[]> {
  const [, scheme, rest = ''] = /^(unix|tcp):\/\/(.*)$/.exec(address) ?? [];
  const [host, port] = rest.split(':');
  const socket = scheme === 'unix' ? connect(rest) : connect(Number(port), host);
  const reader = new FrameReader();
  const answers: Response[] = [];
  socket.write(Buffer.concat(requests.map((request) => frame(Request.encode(request).finish()))));
  try {
    for await (const piece of socket) {
      answers.push(...reader.push(piece as Uint8Array).map((message) => Response.decode(message)));
      if (answers.length >= requests.length) break;
    }
  } finally {
    socket.destroy();
  }
  return answers;
}

const listening = async (handlers: Partial<AbciHandlers>, address = `unix://${directory}/app.sock`) => {
  server = await openAbciServer({ address }, { handlers: app(handlers), logger: silentLogger });
  return server;
};

describe('the ABCI server', () => {
  it('answers Echo and Flush by itself', async () => {
    const { address } = await listening({});
    const answers = await ask(address, [{ echo: { message: 'hello' } }, { flush: {} }]);
    expect(answers).toMatchObject([{ echo: { message: 'hello' } }, { flush: {} }]);
  });

  it('answers a pipeline of requests in its order, whichever handler is faster', async () => {
    const { address } = await listening({
      checkTx: ({ tx }) => {
        const answer = { ...checked, code: tx[0]!, gasWanted: 1n };
        return tx[0]! % 2 ? answer : new Promise((done) => setImmediate(() => done(answer)));
      },
    });
    const codes = Array.from({ length: 200 }, (_, i) => i);
    const requests: Request[] = codes.map((code) => ({
      checkTx: RequestCheckTx.fromPartial({ tx: Uint8Array.of(code) }),
    }));
    const answers = await ask(address, [...requests, { flush: {} }]);
    expect(answers.map(({ checkTx }) => checkTx?.code)).toEqual([...codes, undefined]);
  });

  it('begins neighbouring CheckTx in their order before the first is answered, and nothing else beside them', async () => {
    const seen: string[] = [];
    const { address } = await listening({
      checkTx: async ({ tx }) => {
        seen.push(`begin ${tx[0]}`);
        await new Promise(setImmediate);
        seen.push(`end ${tx[0]}`);
        return { ...checked, code: tx[0]!, gasWanted: 1n };
      },
      commit: () => {
        seen.push('commit');
        return { retainHeight: 0n };
      },
    });
    const check = (code: number): Request => ({
      checkTx: RequestCheckTx.fromPartial({ tx: Uint8Array.of(code) }),
    });
    await ask(address, [check(1), check(2), { commit: {} }, check(3), { flush: {} }]);
    expect(seen).toEqual(['begin 1', 'begin 2', 'end 1', 'end 2', 'commit', 'begin 3', 'end 3']);
  });

  it('listens on TCP as well, on a port that it tells', async () => {
    const { address } = await listening({}, 'tcp://127.0.0.1:0');
    expect(address).toMatch(/^tcp:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(await ask(address, [{ listSnapshots: {} }, { flush: {} }])).toMatchObject([
      { listSnapshots: { snapshots: [] } },
      { flush: {} },
    ]);
  });

  it('answers a failure of the application with an exception, and tells of it', async () => {
    const failures: unknown[] = [];
    server = await openAbciServer(
      { address: `unix://${directory}/app.sock` },
      {
        handlers: app({
          commit: () => {
            throw new CodedError('CHAIN_HALTED', 'the disk is full');
          },
        }),
        logger: silentLogger,
        onFailure: (error) => failures.push(error),
      },
    );
    expect(await ask(server.address, [{ commit: {} }, { flush: {} }])).toMatchObject([
      { exception: { error: 'the disk is full' } },
      { flush: {} },
    ]);
    expect(failures).toMatchObject([{ code: 'CHAIN_HALTED' }]);
  });

  it('answers a request of an unknown kind with an exception', async () => {
    const { address } = await listening({});
    expect(await ask(address, [{}])).toMatchObject([
      { exception: { error: expect.stringContaining('0.38') } },
    ]);
  });

  it('takes over the socket of a process that was killed, and nothing else', async () => {
    const path = join(directory, 'app.sock');
    const first = await listening({});
    await expect(listening({}, 'tcp://nowhere')).rejects.toThrow('tcp://127.0.0.1:26658');
    await first.close();
    writeFileSync(path, 'mine');
    await expect(listening({})).rejects.toMatchObject({ code: 'CONSENSUS_ABCI_LISTEN' });
  });

  it('waits for the request in progress when it closes', async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let done = false;
    const { address, close } = await listening({
      commit: async () => {
        enter();
        await released;
        done = true;
        return { retainHeight: 0n };
      },
    });
    const asked = ask(address, [{ commit: {} }]);
    await entered;
    const closing = close();
    release();
    await closing;
    expect(done).toBe(true);
    await asked;
  });
});
