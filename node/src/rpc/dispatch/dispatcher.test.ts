import { CodedError, silentLogger, Turns } from '@chain/platform';
import { describe, expect, it } from 'vitest';
import { optionalParam, param } from '../codec/codec.ts';
import { booleanCodec, stringCodec } from '../codec/plainCodecs.ts';
import { LegacyGate } from '../legacy/legacyGate.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { BoundMethod } from './boundMethod.ts';
import { Dispatcher, type DispatchLimits } from './dispatcher.ts';
import { rpcMetrics } from './rpcMetrics.ts';

const LIMITS: DispatchLimits = {
  maxBatch: 5,
  maxBatchResponseBytes: 1000,
  callTimeoutMs: 60_000,
  slowCallMs: 1000,
  denied: [],
};
const calls: unknown[][] = [];
const declared = { summary: 'A method of the test', result: {} };
const METHODS = [
  rpcMethod({
    ...declared,
    name: 'test_echo',

    params: [param('text', stringCodec), optionalParam('loud', booleanCodec, false)],
    handle: (_deps, args) => {
      calls.push(args);
      return args[0];
    },
  }),
  rpcMethod({ ...declared, name: 'test_late', params: [], handle: async () => 'late' }),
  rpcMethod({ ...declared, name: 'test_nothing', params: [], handle: () => undefined }),
  rpcMethod({ ...declared, name: 'test_long', params: [], handle: () => 'x'.repeat(600) }),
  rpcMethod({ ...declared, name: 'test_hang', params: [], handle: () => new Promise(() => {}) }),
  rpcMethod({ ...declared, name: 'test_crash', params: [], handle: () => JSON.parse('{') }),
  rpcMethod({
    ...declared,
    name: 'test_fail',
    params: [],
    handle: async () => {
      throw new CodedError('ROOM_WHAT', 'no such thing');
    },
  }),
  rpcMethod({
    ...declared,
    name: 'test_revert',
    params: [],
    handle: () => {
      throw new CodedError('EXECUTION_REVERTED', 'execution reverted', { fields: { data: '0x' } });
    },
  }),
  rpcMethod({ ...declared, name: 'chain_getLogs', params: [], handle: () => 'old' }),
];

const headers: Record<string, string> = {};
function dispatcher(limits: Partial<DispatchLimits> = {}, legacy: readonly string[] = []): Dispatcher {
  return new Dispatcher(
    { ...LIMITS, ...limits },
    {
      methods: METHODS.map((method) => new BoundMethod(method, {} as RpcDeps)),
      gate: new LegacyGate(legacy),
      turns: new Turns(),
      metrics: rpcMetrics(undefined),
      logger: silentLogger,
    },
  );
}
async function answer(body: string, limits?: Partial<DispatchLimits>, legacy?: readonly string[]) {
  const setHeader = (name: string, value: string) => {
    headers[name] = value;
  };
  const caller = { client: 'test', setHeader, onGone: () => {} };
  return String(await dispatcher(limits, legacy).answer(Buffer.from(body), caller));
}
const request = (method: string, rest = '"id":1') => `{"jsonrpc":"2.0","method":"${method}",${rest}}`;
const failure = (code: number, message: string, id = '1') =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
const success = (result: string, id = '1') => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
const echo = (id: string) => request('test_echo', `"params":["hi"],"id":${id}`);

describe('one request', () => {
  it('answers jsonrpc, id, then result, and one newline', async () => {
    expect(await answer(echo('1'))).toBe(`${success('"hi"')}\n`);
    expect(await answer(request('test_late'))).toBe(`${success('"late"')}\n`);
    expect(await answer(request('test_nothing'))).toBe(`${success('null')}\n`);
  });

  it('answers a synchronous method without a promise', () => {
    const caller = { client: 'test', setHeader: () => {}, onGone: () => {} };
    expect(typeof dispatcher().answer(Buffer.from(echo('1')), caller)).toBe('string');
  });

  it.each(['7', '-1', '1.5', '"a\\"b"', '""', 'true', 'false', 'null', '0', '"\\u2028"'])(
    'gives back the id %s',
    async (id) => {
      expect(JSON.parse(await answer(echo(id)))).toEqual({
        jsonrpc: '2.0',
        id: JSON.parse(id),
        result: 'hi',
      });
    },
  );

  it.each(['12345678901234567890', '-9007199254740993', '1e400', '3.14159265358979323846'])(
    'gives back the digits of the id %s',
    async (id) => {
      expect(await answer(echo(id))).toBe(`${success('"hi"', id)}\n`);
      expect(await answer(`[${echo(id)},${echo('1')}]`)).toBe(
        `[${success('"hi"', id)},${success('"hi"')}]\n`,
      );
    },
  );

  it.each(['{}', '[]', '{"a":12345678901234567890}'])('takes %s for no id', async (id) => {
    expect(await answer(echo(id))).toBe(`${failure(-32600, 'invalid request', 'null')}\n`);
  });

  it.each([
    ['{"id":1,"method":"test_late"}', '1'],
    ['{"jsonrpc":"1.0","id":"a","method":"test_late"}', '"a"'],
    ['{"jsonrpc":2.0,"id":1,"method":"test_late"}', '1'],
    ['{"jsonrpc":"2.0","id":99999999999999999999}', '99999999999999999999'],
    ['{"jsonrpc":"2.0","id":1,"method":5}', '1'],
    ['{"jsonrpc":"2.0","id":1,"method":""}', '1'],
    ['{"jsonrpc":"2.0"}', 'null'],
    ['1', 'null'],
    ['null', 'null'],
    ['"x"', 'null'],
  ])('refuses %s as invalid request', async (body, id) => {
    expect(await answer(body)).toBe(`${failure(-32600, 'invalid request', id)}\n`);
  });

  it.each(['', '{', 'x', '{"jsonrpc":"2.0","id":1,}', '\u00ff'])(
    'answers a parse error for %j',
    async (body) => {
      expect(await answer(body)).toBe(`${failure(-32700, 'parse error', 'null')}\n`);
    },
  );

  it('runs a notification and says nothing', async () => {
    calls.length = 0;
    expect(await answer(request('test_echo', '"params":["quiet"]'))).toBe('');
    expect(await answer(request('test_crash', '"params":[]'))).toBe('');
    expect(await answer(request('no_such', '"params":[]'))).toBe('');
    expect(calls).toEqual([['quiet', false]]);
  });
});

describe('parameters', () => {
  it.each([
    ['{}', 'non-array args'],
    ['"a"', 'non-array args'],
    ['1', 'non-array args'],
    ['[]', 'missing value for required argument 0'],
    ['[null]', 'missing value for required argument 0'],
    ['["a",true,1]', 'too many arguments, want at most 2'],
    ['[1]', 'invalid argument 0: json: cannot unmarshal number into Go value of type string'],
    ['["a","b"]', 'invalid argument 1: json: cannot unmarshal string into Go value of type bool'],
  ])('refuses %s', async (params, message) => {
    expect(await answer(request('test_echo', `"id":1,"params":${params}`))).toBe(
      `${failure(-32602, message)}\n`,
    );
  });

  it.each(['["a"]', '["a",null]', '["a",false]'])('takes the default in %s', async (params) => {
    calls.length = 0;
    await answer(request('test_echo', `"id":1,"params":${params}`));
    expect(calls).toEqual([['a', false]]);
  });

  it('may be absent or null', async () => {
    expect(await answer(request('test_late', '"id":1,"params":null'))).toBe(`${success('"late"')}\n`);
  });
});

describe('errors', () => {
  it.each([
    ['eth_nope', failure(-32601, 'the method eth_nope does not exist/is not available')],
    ['toString', failure(-32601, 'the method toString does not exist/is not available')],
    ['test_crash', failure(-32603, 'method handler crashed')],
    ['test_fail', failure(-32000, 'no such thing')],
    ['test_revert', '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0x"}}'],
  ])('answers %s', async (method, text) => {
    expect(await answer(request(method))).toBe(`${text}\n`);
  });

  it('answers −32002 when a method takes too long', async () => {
    expect(await answer(request('test_hang'), { callTimeoutMs: 10 })).toBe(
      `${failure(-32002, 'request timed out')}\n`,
    );
  });

  it('answers a whole body with one error when it names a denied method', async () => {
    const text = `${failure(-32601, 'the method test_late does not exist/is not available', 'null')}\n`;
    const limits = { denied: ['test_late'] };
    expect(await answer(request('test_late'), limits)).toBe(text);
    expect(await answer(`[${echo('1')},${request('test_late')}]`, limits)).toBe(text);
    expect(await answer(echo('1'), limits)).toBe(`${success('"hi"')}\n`);
  });
});

describe('batches', () => {
  it('are answered in order, without notifications', async () => {
    const body = `[${echo('1')},${request('test_late', '"params":[]')},5,${request('test_late', '"id":"b"')},${echo('1')}]`;
    expect(await answer(body)).toBe(
      `[${success('"hi"')},${failure(-32600, 'Invalid Request', 'null')},${success('"late"', '"b"')},${success('"hi"')}]\n`,
    );
  });

  it('of notifications alone are answered with nothing', async () => {
    expect(await answer(`[${request('test_late', '"params":[]')}]`)).toBe('');
  });

  it('must not be empty', async () => {
    expect(await answer(' []')).toBe(`${failure(-32600, 'empty batch', 'null')}\n`);
  });

  it('must not be too large; the answer goes to the first id', async () => {
    const body = `[${request('test_late', '"params":[]')}${`,${echo('"first"')}`.repeat(5)}]`;
    expect(await answer(body)).toBe(`[${failure(-32600, 'batch too large', '"first"')}]\n`);
  });

  it('stop running once the answer is too large', async () => {
    calls.length = 0;
    const long = request('test_long');
    const body = `[${long},${long},${echo('2')},${request('test_echo', '"params":["n"]')}]`;
    const answers = JSON.parse(await answer(body)) as { error?: { code: number; message: string } }[];
    expect(answers.map(({ error }) => error?.code)).toEqual([undefined, undefined, -32003]);
    expect(answers[2]?.error?.message).toBe('response too large');
    expect(calls).toEqual([]);
  });

  it('have one deadline for all', async () => {
    const body = `[${echo('1')},${request('test_hang', '"id":2')},${echo('3')}]`;
    expect(await answer(body, { callTimeoutMs: 30 })).toBe(
      `[${success('"hi"')},${failure(-32002, 'request timed out', '2')},${failure(-32002, 'request timed out', '3')}]\n`,
    );
  });
});

describe('the legacy gate', () => {
  const blocked = (id: string) =>
    expect.objectContaining({
      id,
      error: expect.objectContaining({ code: -32601, data: 'legacy_chain_deprecated' }),
    });

  it('answers a blocked call also without an id, but not in a batch', async () => {
    const silent = request('chain_getLogs', '"params":[]');
    expect(JSON.parse(await answer(silent))).toMatchObject({
      id: null,
      error: { data: 'legacy_chain_deprecated' },
    });
    expect(await answer(`[${silent}]`)).toBe('');
  });

  it('judges each call of a batch by itself', async () => {
    const body = `[${request('chain_getLogs', '"id":"a"')},${echo('"b"')},${request('chain2_getBlockByHash', '"id":"c"')}]`;
    const answers = JSON.parse(await answer(body)) as unknown[];
    expect(answers).toEqual([blocked('a'), { jsonrpc: '2.0', id: 'b', result: 'hi' }, blocked('c')]);
  });

  it('marks the answer of what it lets through, and only that', async () => {
    for (const name of Object.keys(headers)) delete headers[name];
    await answer(`[${echo('1')},${request('chain_getBlockReceipts')}]`, {}, ['chain_getLogs']);
    expect(headers).toEqual({});
    expect(await answer(`[${echo('1')},${request('chain_getLogs')}]`, {}, [' CHAIN_getlogs '])).toContain(
      'old',
    );
    expect(headers['Chain-Legacy-RPC-Deprecation']).toMatch(/deprecated .* removal.* eth_\*/);
  });

  it('fails closed for names that it does not know, and asks before it looks at parameters', async () => {
    const odd = JSON.parse(await answer(request('chain_getlogs', '"id":1,"params":{}')));
    expect(odd.error.message).toMatch(
      /^chain_getLogs is not enabled .*deprecated.*enabled_legacy_chain_apis/,
    );
    const unknown = JSON.parse(await answer(request('chain2_nope')));
    expect(unknown.error).toMatchObject({ code: -32601, data: 'legacy_chain_deprecated' });
    expect(unknown.error.message).toMatch(/^chain2_nope is not enabled/);
  });

  it('leaves names alone that only look like legacy ones', async () => {
    for (const name of ['chainX_getLogs', 'Chain_getLogs', 'chain3_getLogs']) {
      expect(await answer(request(name))).toBe(
        `${failure(-32601, `the method ${name} does not exist/is not available`)}\n`,
      );
    }
  });

  it('lets an allowed name in odd case pass to the ordinary error', async () => {
    expect(await answer(request('chain_GETLOGS'), {}, ['chain_getLogs'])).toBe(
      `${failure(-32601, 'the method chain_GETLOGS does not exist/is not available')}\n`,
    );
  });
});
