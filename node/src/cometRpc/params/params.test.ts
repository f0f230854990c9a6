import { isCodedError } from '@chain/platform';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paramsFromJson, paramsFromUri } from '../dispatch.ts';
import { COMET_METHODS } from '../methods.ts';
import { bytes, hex, integer, optionalInteger, text } from './paramKinds.ts';

describe('parameters', () => {
  it('are read from URIs: bare and quoted numbers, hex, and quoted texts as their own bytes', () => {
    expect(optionalInteger.fromUri('-5')).toBe(-5);
    expect(optionalInteger.fromUri('"12"')).toBe(12);
    expect(text.fromUri('"a b"')).toBe('a b');
    expect(text.fromUri('0x6162')).toBe('ab');
    expect(Buffer.from(bytes.fromUri('"name"')).toString()).toBe('name');
    expect([...bytes.fromUri('0x0aff')]).toEqual([10, 255]);
  });

  it('are read from JSON: 64-bit integers as texts, bytes as base64 or hex', () => {
    expect(integer.fromJson('7')).toBe(7);
    expect(integer.fromJson(null)).toBe(0);
    expect([...bytes.fromJson('Cv8=')]).toEqual([10, 255]);
    expect([...hex.fromJson('0AFF')]).toEqual([10, 255]);
    expect(() => integer.fromJson(7)).toThrow('invalid 64-bit integer encoding "7", expected string');
    expect(() => bytes.fromJson('Cv8')).toThrow('illegal base64 data at input byte');
  });

  it('are values or a refusal, and never anything else, whatever they are', () => {
    const given = fc.record({
      method: fc.constantFrom(...COMET_METHODS),
      value: fc.jsonValue(),
      text: fc.oneof(
        fc.string(),
        fc.stringMatching(/^"?-?\d{1,25}"?$/),
        fc.stringMatching(/^0x[\da-g]{0,9}$/),
        fc.json(),
      ),
    });
    fc.assert(
      fc.property(given, ({ method, value, text: uri }) => {
        const names = Object.keys(method.params);
        const inUri = new URLSearchParams(Object.fromEntries(names.map((name) => [name, uri])));
        const byName = Object.fromEntries(names.map((name) => [name, value]));
        const reads = [
          () => paramsFromUri(method, inUri),
          () => paramsFromJson(method, byName),
          () => paramsFromJson(method, value),
          () =>
            paramsFromJson(
              method,
              names.map(() => value),
            ),
        ];
        for (const read of reads) {
          try {
            expect(Object.keys(read())).toEqual(names);
          } catch (error) {
            if (!isCodedError(error, 'COMETRPC_PARAMS')) throw error;
          }
        }
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 500) },
    );
  });
});
