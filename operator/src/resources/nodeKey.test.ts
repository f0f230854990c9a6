import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNodeKey, nodeIdOf } from './nodeKey.ts';

const SECRET = 'hunter2-S3cret';
const told = (text: string): string => {
  try {
    return nodeIdOf(text, 'Secret "k", key "x"');
  } catch (error) {
    const { message, cause, fields } = error as { message: string; cause?: unknown; fields?: object };
    return JSON.stringify([message, String(cause), fields]);
  }
};

it.each([
  SECRET,
  `{"${SECRET}":1}`,
  JSON.stringify({ priv_key: { type: SECRET, value: SECRET } }),
  JSON.stringify({ priv_key: { type: 'tendermint/PrivKeyEd25519', value: SECRET } }),
  JSON.stringify({ priv_key: { type: 'tendermint/PrivKeyEd25519', value: { [SECRET]: 1 } } }),
  JSON.stringify({ priv_key: SECRET }),
  'null',
  JSON.stringify({ priv_key: { type: 'tendermint/PrivKeyEd25519', value: SECRET.repeat(6).slice(0, 86) } }),
])('of what is no node key, %j, nothing is told', (text) => {
  expect(told(text)).toContain('holds no key');
  expect(told(text)).not.toContain('hunter2');
});

it('two texts that are no keys are told in the same words', () => {
  fc.assert(
    fc.property(fc.json(), fc.string(), (json, text) => told(json) === told(text)),
    { numRuns: 50 },
  );
});

it('a key gives its id', () => {
  expect(told(createNodeKey())).toMatch(/^[0-9a-f]{40}$/);
});
