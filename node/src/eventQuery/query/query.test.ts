import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, parseDecimal } from './decimal.ts';
import { matchesQuery } from './matchQuery.ts';
import { parseQuery } from './parseQuery.ts';

const values = new Map([
  ['tm.event', ['Tx']],
  ['tx.height', ['7']],
  ['transfer.amount', ['8atom', '150']],
  ['transfer.sender', ['alice']],
  ['proposal.begins', ['2026-03-01T10:00:00Z']],
  ['proposal.day', ['2026-03-01']],
]);
const matches = (query: string) => matchesQuery(parseQuery(query), values);

describe('a query', () => {
  it.each([
    ["tm.event='Tx'", true],
    ["tm.event = 'NewBlock'", false],
    ["tm.event='Tx' AND tx.height=7 AND transfer.sender='alice'", true],
    ["tm.event='Tx' AND transfer.sender='bob'", false],
    ['tx.height>6.5', true],
    ['tx.height < 7', false],
    ['tx.height <= 7', true],
    ['transfer.amount = 8', true],
    ['transfer.amount >= 151', false],
    ["transfer.sender CONTAINS 'lic'", true],
    ["transfer.sender CONTAINS 'x'", false],
    ['transfer.sender EXISTS', true],
    ['transfer EXISTS', true],
    ['gov.vote EXISTS', false],
    ['proposal.begins > TIME 2026-03-01T09:59:59Z', true],
    ['proposal.begins < TIME 2026-03-01T12:00:00+02:00', false],
    ['proposal.day = DATE 2026-03-01', true],
    ['proposal.day < DATE 2026-03-01', false],
  ])('%s is %s', (query, expected) => {
    expect(matches(query)).toBe(expected);
  });

  it.each([
    ['', 'offset 0: EOF'],
    ['foo', 'offset 3: EOF'],
    ['app.key =', 'offset 9: EOF'],
    [
      'bad bad',
      'offset 4: got tag, wanted <= operator, >= operator, < operator, > operator, = operator, CONTAINS operator or EXISTS operator',
    ],
    ["a.b='c' OR d.e='f'", 'offset 8: got tag, want AND operator'],
    ["a.b > 'c'", 'offset 6: got string, wanted number, timestamp or datestamp'],
    ['a.b CONTAINS 5', 'offset 13: got number, wanted string'],
    ["='x'", 'offset 0: got = operator, wanted tag'],
    ["a.b='c", 'offset 4: EOF'],
    ['a.b ! 5', 'offset 4: invalid input ! at offset 5'],
  ])('%j is refused in the words of CometBFT', (query, message) => {
    expect(() => parseQuery(query)).toThrow(message);
  });

  it('prints the same whatever its spaces', () => {
    expect(parseQuery("tm.event='Tx'  AND a.b>=5 AND c.d EXISTS").canonical).toBe(
      "tm.event = 'Tx' AND a.b >= 5 AND c.d EXISTS",
    );
  });

  it('is read or refused, and never anything else, whatever it is', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ' ',
        "'",
        'AND',
        'TIME',
        'DATE',
        'EXISTS',
        'CONTAINS',
        '<=',
        '=',
        '5',
        'a.b',
        '2026-01-01',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          const { canonical } = parseQuery(pieces.join(''));
          expect(parseQuery(canonical).canonical).toBe(canonical);
        } catch (error) {
          expect(error).toMatchObject({ code: 'EVENT_QUERY_REFUSED' });
        }
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 500) },
    );
  });

  it('compares numbers of any length exactly', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
        const order = compareDecimals(parseDecimal(String(a))!, parseDecimal(`${b}.0`)!);
        expect(Math.sign(order)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});
