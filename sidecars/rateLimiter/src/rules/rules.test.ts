import { describe, expect, it } from 'vitest';
import { MethodRules } from './methodRules.ts';
import { readCalls, UnreadableCalls } from './readCalls.ts';
import { readTarget } from './readTarget.ts';

describe('targets', () => {
  const target = (method: string, url: string) => {
    const read = readTarget(method, url, 100);
    return read.kind === 'uri' ? read.method : read.kind === 'refused' ? read.status : read.kind;
  };

  it('are calls, pages and methods', () => {
    expect(target('POST', '/')).toBe('calls');
    expect(target('POST', '/?x=1')).toBe('calls');
    expect(target('GET', '/')).toBe('root');
    expect(target('OPTIONS', '/')).toBe('root');
    expect(target('GET', '/status')).toBe('status');
    expect(target('POST', '/abci_query?path="/x"')).toBe('abci_query');
    expect(target('HEAD', '/health')).toBe('health');
  });

  it('are refused in every spelling that some reader might take for another', () => {
    const dodges = [
      '/%64ial_seeds',
      '//dial_seeds',
      '/./dial_seeds',
      '/x/../dial_seeds',
      '/dial_seeds/',
      '/dial_seeds;x',
      '\\dial_seeds',
      '/dial_seeds%00',
      '/dial_seeds#',
      'http://node/dial_seeds',
      '*',
      '',
      '/dial seeds',
      '/é',
    ];
    for (const url of dodges) expect(target('GET', url), url).toBe(404);
    expect(target('GET', '/websocket')).toBe(404);
  });

  it('are refused by method and by length', () => {
    for (const method of ['PUT', 'DELETE', 'TRACE', 'CONNECT', 'PATCH', 'PROPFIND']) {
      expect(target(method, '/status')).toBe(405);
    }
    expect(target('GET', `/status?${'x'.repeat(100)}`)).toBe(414);
  });
});

describe('calls', () => {
  const read = (text: string) => {
    const calls = readCalls(Buffer.from(text));
    return calls instanceof UnreadableCalls ? calls.code : calls.calls.map(({ method }) => method);
  };

  it('are read singly and in batches, with their ids', () => {
    expect(readCalls(Buffer.from('{"id":1,"method":"a"}'))).toEqual({
      calls: [{ id: 1, method: 'a' }],
      isBatch: false,
    });
    expect(readCalls(Buffer.from('[{"id":"x","method":"a"},{"method":"b"}]'))).toEqual({
      calls: [
        { id: 'x', method: 'a' },
        { id: null, method: 'b' },
      ],
      isBatch: true,
    });
  });

  it('are refused when they are none', () => {
    for (const text of ['', '{', 'x', '{"method":"a"} {"method":"b"}', '{"method":"a"}\0'])
      expect(read(text)).toBe(-32_700);
    for (const text of [
      '1',
      'null',
      '"a"',
      '{}',
      '{"method":1}',
      '[]',
      '[1]',
      '[[{"method":"a"}]]',
      '[{"method":"a"},{}]',
    ]) {
      expect(read(text), text).toBe(-32_600);
    }
  });

  it('are refused where a reader that ignores case would see another method', () => {
    expect(read('{"method":"status","Method":"dial_seeds"}')).toBe(-32_600);
    expect(read('{"METHOD":"dial_seeds","method":"status"}')).toBe(-32_600);
    expect(read('{"m\\u0065thod":"dial_seeds"}')).toEqual(['dial_seeds']);
    expect(read('{"method":"status","method":"dial_seeds"}')).toEqual(['dial_seeds']);
  });
});

describe('lists of methods', () => {
  it('refuse what is denied, and what is not allowed when something is', () => {
    const open = new MethodRules({ allow: [], deny: ['unsafe_*', 'dial_seeds'] });
    expect(
      ['status', 'dial_seeds', 'unsafe_flush_mempool', 'dial_seeds2'].map((name) => open.allows(name)),
    ).toEqual([true, false, false, true]);
    const narrow = new MethodRules({ allow: ['abci_*', 'status'], deny: ['abci_info'] });
    expect(['abci_query', 'abci_info', 'status', 'block'].map((name) => narrow.allows(name))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});
