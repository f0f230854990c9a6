import { utf8 } from '../../../node/src/primitives/index.ts';
import type { Random } from '../random.ts';
import { damagedBytes } from './protobufDamage.ts';

/** JSON documents, deep, long, odd or broken. */
export function hostileJson(random: Random): Uint8Array {
  const depth = random.pick([1, 40, 3_000]);
  const open = '['.repeat(depth);
  const text = random.pick<() => string>([
    () => '{"key":"value","key":12,"other":[1,"two",{"three":null}]}',
    () => `{"key":${open}${']'.repeat(depth)}}`,
    () => `[${open}`,
    () => '{"a":'.repeat(depth),
    () => `[${'"\\u0000\\"",'.repeat(depth)}0]`,
    () => `{"key":"${'9'.repeat(depth)}"}`,
    () => `{"key":${random.pick(['1e400', '-0', '"\\ud800"', 'true', 'NaN', '"+00012"'])}}`,
    () => '{"__proto__":{"key":1},"key":"\\u00e9","KEY":2}',
  ])();
  return random.below(3) === 0 ? damagedBytes(random, utf8(text)) : utf8(text);
}
