import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBlockRecord } from './record/decodeRecord.ts';
import { encodeBlockRecord } from './record/encodeRecord.ts';
import { recordArbitrary, recordAt } from './recordArbitrary.fixture.ts';

describe('block record codec', () => {
  it('gives back every record', () => {
    fc.assert(
      fc.property(recordArbitrary, (record) => {
        expect(decodeBlockRecord(encodeBlockRecord(record))).toEqual(record);
      }),
      { numRuns: 300 },
    );
  });

  it('refuses a record cut anywhere, with more behind it, or of another format', () => {
    const bytes = encodeBlockRecord(recordAt(7));
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeBlockRecord(bytes.subarray(0, length))).toThrowError(/record is damaged/);
    }
    expect(() => decodeBlockRecord(Buffer.concat([bytes, Uint8Array.of(0)]))).toThrowError(/damaged/);
    expect(() => decodeBlockRecord(Uint8Array.of(9, ...bytes.subarray(1)))).toThrowError(/damaged/);
  });

  it('fails with its own error on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          decodeBlockRecord(Uint8Array.of(1, ...bytes));
        } catch (error) {
          expect(error).toMatchObject({ code: 'HISTORY_RECORD_INVALID' });
        }
      }),
    );
  });
});
