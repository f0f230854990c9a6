import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';

let rpc: RpcFixture;
beforeAll(async () => {
  rpc = await openRpcFixture();
  await rpc.block();
});
afterAll(() => rpc.close());

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const traceCall = (config: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{},"latest",{"tracer":"callTracer","tracerConfig":{"x":${config}}}]}`;
const asked = async (body: string) => (await (await rpc.post(body)).json()) as { error?: { code: number } };

describe('JSON that is nested too deep', () => {
  it.each([200, 6000])('is refused as no JSON over HTTP at %i levels', async (depth) => {
    expect((await asked(traceCall(nested(depth)))).error).toMatchObject({ code: -32700 });
    expect((await asked(`[${traceCall(nested(depth))}]`)).error).toMatchObject({ code: -32700 });
    expect(await asked(traceCall(nested(60)))).toMatchObject({ result: {} });
  });

  it('is refused over WebSocket as well, and the connection stays', async () => {
    const socket = new WebSocket(rpc.wsUrl);
    await new Promise((opened) => socket.addEventListener('open', opened, { once: true }));
    const ask = (body: string): Promise<unknown> =>
      new Promise((answered) => {
        socket.addEventListener('message', ({ data }) => answered(JSON.parse(data)), { once: true });
        socket.send(body);
      });
    expect(await ask(traceCall(nested(6000)))).toMatchObject({ error: { code: -32700 } });
    expect(await ask(traceCall(nested(60)))).toMatchObject({ result: {} });
    socket.close();
  });
});
