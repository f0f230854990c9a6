import { describe, expect, it } from 'vitest';
import { param } from '../codec/codec.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { METHODS } from '../methods.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';
import { type RpcCall, resolved, rpcMethod } from '../rpcMethod.ts';
import { BoundMethod } from './boundMethod.ts';

const deps = { evmChainId: 7n, clientVersion: 'chaind/test' } as RpcDeps;
const call: RpcCall = { client: 'test', setHeader: () => {}, signal: AbortSignal.abort() };
const declared = { name: 'test_method', summary: 'A method of the test', result: {} };

describe('what a method uses', () => {
  it('is all that its handler gets, the same object at each call', () => {
    const seen: object[] = [];
    const method = rpcMethod({
      ...declared,
      params: [],
      uses: ['evmChainId'],
      handle: (own) => {
        seen.push(own);
        // @ts-expect-error the client's version is not declared
        return [own.evmChainId, own.clientVersion];
      },
    });
    const bound = new BoundMethod(method, deps);
    expect(bound.run([], call)).toEqual([7n, undefined]);
    bound.run([], call);
    expect(Object.keys(seen[0]!)).toEqual(['evmChainId']);
    expect(seen[1]).toBe(seen[0]);
  });

  it('can be of a namespace of its own', () => {
    const method = rpcMethod({
      ...declared,
      params: [],
      uses: ['evmChainId'],
      handle: (own) => own.evmChainId,
    });
    expect(new BoundMethod({ ...method, given: () => ({ evmChainId: 8n }) }, deps).run([], call)).toBe(8n);
  });
});

describe('a block that a parameter names', () => {
  const words = (resolve: (word: string) => number | Promise<number>) =>
    new BoundMethod(
      rpcMethod({
        ...declared,
        needs: ['state'],
        params: [1, 2].map((at) =>
          resolved(param(`word${at}`, stringCodec), (_deps, word, needs) => {
            expect(needs).toEqual(['state']);
            return resolve(word);
          }),
        ),
        handle: (_own, [first, second]) => Number(first) * 10 + Number(second),
      }),
      deps,
    );

  it('is resolved before the call is handled, and without a promise where none is needed', () => {
    expect(words((word) => word.length).run(['a', 'bb'], call)).toBe(12);
  });

  it('is waited for', async () => {
    expect(await words(async (word) => word.length).run(['a', 'bb'], call)).toBe(12);
    const mixed = words((word) => (word === 'a' ? Promise.resolve(1) : 2));
    expect(await mixed.run(['a', 'bb'], call)).toBe(12);
    expect(await mixed.run(['bb', 'a'], call)).toBe(21);
  });

  it('ends the call where there is none', async () => {
    const refuse = () => {
      throw serverError('no such block');
    };
    expect(() => words(refuse).run(['a', 'bb'], call)).toThrow('no such block');
    const second = words((word) => (word === 'a' ? Promise.resolve(1) : refuse()));
    await expect(second.run(['a', 'bb'], call)).rejects.toThrow('no such block');
  });

  it('is resolved, with its needs, by every method of the table that has a parameter for it', () => {
    const naming = METHODS.filter(({ needs }) => needs).flatMap(({ name, params }) =>
      params.filter((each) => /^block(Hash)?$/.test(each.name)).map((each) => ({ name, each })),
    );
    expect(naming.length).toBeGreaterThan(40);
    expect(naming.filter(({ each }) => !each.resolve).map(({ name }) => name)).toEqual([]);
  });
});
