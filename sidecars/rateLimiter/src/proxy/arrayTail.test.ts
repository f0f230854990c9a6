import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArrayTail } from './arrayTail.ts';

function joined(pieces: readonly string[], items: string): string {
  const tail = new ArrayTail(items);
  return pieces.map((piece) => tail.push(Buffer.from(piece)).toString()).join('') + tail.end();
}

describe('further items of an array', () => {
  it('stand behind the others, however the array is cut', () => {
    const value = fc.array(fc.oneof(fc.string(), fc.array(fc.integer()), fc.constant(']')));
    const space = fc.constantFrom('', ' ', '\n', ' \t ');
    fc.assert(
      fc.property(value, space, fc.array(fc.nat(50)), (items, after, cuts) => {
        let rest = JSON.stringify(items) + after;
        const pieces: string[] = [];
        for (const cut of cuts) {
          pieces.push(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        expect(JSON.parse(joined([...pieces, rest], '1,"x"'))).toEqual([...items, 1, 'x']);
      }),
    );
  });

  it('follow a single answer, which is no array', () => {
    expect(joined(['{"id":', '[1]}\n'], '1')).toBe('[{"id":[1]}\n,1]');
    expect(JSON.parse(joined([' ', '\n{', '"id":"]"}'], '1'))).toEqual([{ id: ']' }, 1]);
  });

  it('are all there is when nothing came, and are left out of what is neither', () => {
    expect(joined([], '1')).toBe('[1]');
    expect(JSON.parse(joined([' \n'], '1'))).toEqual([1]);
    expect(joined(['no ', 'JSON ]'], '1')).toBe('no JSON ]');
  });
});
