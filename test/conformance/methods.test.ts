import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVELOPMENT_METHODS, LEGACY_METHODS, METHODS, methodReference } from '../../node/src/rpc/index.ts';
import { type ConformanceChain, LEGACY_ALLOWED, startConformanceChain } from './conformanceChain.ts';
import { METHOD_CALLS, REFUSED } from './methodCalls.ts';
import { problems, validatorOf } from './resultSchemas.ts';

type Method = (typeof METHODS)[number];
/** Those of development homes come last: they change the chain. */
const ALL = [...METHODS, ...DEVELOPMENT_METHODS];

const INVALID_PARAMS = -32602;
const SERVER = -32000;
/** One of each kind of JSON; what fits a parameter's schema is not wrong for it. */
const SUSPECTS = [7, -1, 1.5, true, 'zz', '0xzz', [], [7], {}, { blockNumber: 7 }, { from: 7 }, '0x01'];

let chain: ConformanceChain;
beforeAll(async () => {
  chain = await startConformanceChain([`${LEGACY_ALLOWED}=${LEGACY_METHODS.join(',')}`]);
});
afterAll(() => chain?.close());

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const TRANSPORTS = new Map(ALL.map(({ name, transport }) => [name, transport]));

async function answerTo(method: string, params: unknown): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const overWebSocket = TRANSPORTS.get(method) === 'webSocket';
  const answer = (await (overWebSocket ? overSocket(body) : overHttp(body))) as Answer;
  expect(Object.keys(answer)).toEqual(['jsonrpc', 'id', 'error' in answer ? 'error' : 'result']);
  return answer;
}

async function overHttp(body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(chain.url, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  return response.json();
}

/** The connection is the one that `subscribe` of the chain uses. */
async function overSocket(body: string): Promise<unknown> {
  const socket = await chain.socket();
  const answer = new Promise((resolve) => {
    const take = ({ data }: MessageEvent): void => {
      const message = JSON.parse(String(data)) as { readonly id?: unknown };
      if (message.id !== 1) return;
      socket.removeEventListener('message', take);
      resolve(message);
    };
    socket.addEventListener('message', take);
  });
  socket.send(body);
  return answer;
}

async function goodCalls(method: Method): Promise<readonly (readonly unknown[])[]> {
  return (await METHOD_CALLS[method.name]!(chain)).map((params) => [...params]);
}

describe.each(ALL.map((method) => [method.name, method] as const))('%s', (name, method) => {
  it('has calls in the table of this suite', () => {
    expect(METHOD_CALLS).toHaveProperty(name);
  });

  it('answers good calls as its schema says', async () => {
    const validate = validatorOf(method.result);
    for (const params of await goodCalls(method)) {
      const answer = await answerTo(name, params);
      if (REFUSED[name]) {
        expect(answer.error).toMatchObject({ code: SERVER, message: expect.stringMatching(REFUSED[name]) });
        continue;
      }
      expect(answer, `${name} ${JSON.stringify(params)}`).not.toHaveProperty('error');
      expect(problems(validate, answer.result), `${name} ${JSON.stringify(params)}`).toEqual([]);
    }
  });

  it('declares parameters that its good calls fit', async () => {
    const validators = method.params.map(({ schema }) => validatorOf(schema));
    for (const params of await goodCalls(method)) {
      for (const [i, value] of params.entries()) {
        if (value !== null) expect(problems(validators[i]!, value), `parameter ${i} of ${name}`).toEqual([]);
      }
    }
  });

  it.each(method.params.map(({ name: param }, i) => [param, i] as const))(
    'refuses a %s of the wrong kind',
    async (_param, index) => {
      const [good = []] = await goodCalls(method);
      const validate = validatorOf(method.params[index]!.schema);
      for (const suspect of SUSPECTS.filter((value) => !validate(value))) {
        const params = method.params.map((_, i) => (i === index ? suspect : (good[i] ?? null)));
        const { error } = await answerTo(name, params.slice(0, Math.max(index + 1, good.length)));
        const text = `${name} ${JSON.stringify(params)}`;
        expect(error, text).toBeDefined();
        // A storage key and a log range are read by the handler (spec R-10).
        expect([INVALID_PARAMS, SERVER], text).toContain(error!.code);
        if (error!.code === INVALID_PARAMS)
          expect(error!.message).toMatch(/^(invalid argument \d+|unable to decode storage key): ./);
      }
    },
  );

  it('refuses missing, surplus and unordered parameters', async () => {
    const required = method.params.findIndex((param) => param.required);
    if (required >= 0) {
      expect((await answerTo(name, [])).error).toEqual({
        code: INVALID_PARAMS,
        message: `missing value for required argument ${required}`,
      });
    }
    const surplus = Array.from({ length: method.params.length + 1 }, () => null);
    expect((await answerTo(name, surplus)).error).toEqual({
      code: INVALID_PARAMS,
      message: `too many arguments, want at most ${method.params.length}`,
    });
    expect((await answerTo(name, { block: 'latest' })).error).toEqual({
      code: INVALID_PARAMS,
      message: 'non-array args',
    });
  });
});

describe('the method table', () => {
  it('has no calls in this suite of methods that do not exist', () => {
    const names = ALL.map(({ name }) => name);
    expect(Object.keys(METHOD_CALLS).filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('says in one sentence what each method does', () => {
    for (const { summary } of ALL) expect(summary).toMatch(/^\S.{5,160}[^.\s]$/);
  });

  it('is what docs/reference/json-rpc.md shows (`npm run gen` rewrites it)', () => {
    expect(readFileSync('docs/reference/json-rpc.md', 'utf8')).toBe(methodReference(ALL));
  });
});
