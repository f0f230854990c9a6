import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryAt, fill, LogFixture, range, versionsOf } from './changelog.fixture.ts';
import { encodeEntry } from './entryCodec.ts';

const fixture = new LogFixture();
beforeEach(() => fixture.begin());
afterEach(() => fixture.end());
const FIRST = '00000000000000000001';
const path = (): string => join(fixture.directory, FIRST);
const sizeNow = (): number => statSync(path()).size;

/** Three versions that were acknowledged, then six that share one sync. Gives where each of the six begins. */
async function threeAndABatch(): Promise<number[]> {
  const log = await fixture.open();
  for (let version = 1; version <= 3; version++) await log.append(entryAt(version));
  const begin = sizeNow();
  await fill(log, 4, 9);
  await fixture.close();
  const length = (sizeNow() - begin) / 6;
  return range(0, 5).map((i) => begin + i * length);
}

describe('versions that shared one sync', () => {
  it('are cut where a power loss left a hole, whatever of them came to the disk behind it', async () => {
    const begins = await threeAndABatch();
    const whole = readFileSync(path());
    const hole = fc.record({ frame: fc.nat(5), length: fc.integer({ min: 20, max: 90 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(hole, { minLength: 1, maxLength: 3 }), async (holes) => {
        const left = Buffer.from(whole);
        for (const { frame, length } of holes) {
          left.fill(0, begins[frame]!, Math.min(begins[frame]! + length, left.length));
        }
        writeFileSync(path(), left);
        const first = Math.min(...holes.map(({ frame }) => frame));
        const log = await fixture.open();
        expect(log.lastVersion).toBe(3 + first);
        await fill(log, 4 + first, 5 + first);
        expect(versionsOf(log.read(1))).toEqual(range(1, 5 + first));
        await fixture.close();
      }),
      { numRuns: 40 },
    );
  });

  it('say nothing of the versions in front of them: damage there is damage', async () => {
    const begins = await threeAndABatch();
    const whole = readFileSync(path());
    for (const holes of [[begins[0]! - 30], [begins[0]! - 30, begins[0]!], [25]]) {
      const left = Buffer.from(whole);
      for (const at of holes) left.fill(0, at, at + 25);
      writeFileSync(path(), left);
      await expect(fixture.open()).rejects.toMatchObject({ code: 'CHANGELOG_CORRUPT' });
    }
  });
});

/** A segment as releases before wrote it: no places. */
function olderSegment(versions: readonly number[]): Buffer {
  const header = Buffer.alloc(20);
  header.write('CHAINLG\x02', 'latin1');
  header.write('mark', 8);
  header.writeUInt32LE(77, 12);
  header.writeUInt32LE(crc32(header.subarray(0, 16)), 16);
  const frames = versions.map((version) => {
    const payload = encodeEntry(entryAt(version));
    const head = Buffer.alloc(12);
    head.write('mark');
    head.writeUInt32LE(payload.length, 8);
    head.writeUInt32LE(crc32(Buffer.concat([head.subarray(8), payload]), 77), 4);
    return Buffer.concat([head, payload]);
  });
  return Buffer.concat([header, ...frames]);
}

describe('a segment of the older format', () => {
  it('is read and left as it is; the log goes on in a new one', async () => {
    const older = olderSegment([1, 2, 3]);
    writeFileSync(path(), older);
    const log = await fixture.open();
    await fill(log, 4, 6);
    expect(versionsOf(log.read(1))).toEqual(range(1, 6));
    await fixture.close();
    expect(readFileSync(path())).toEqual(older);
    expect(readdirSync(fixture.directory)).toContain('00000000000000000004');
  });

  it('has its torn tail cut, and its damage named', async () => {
    const older = olderSegment([1, 2, 3]);
    writeFileSync(path(), older.subarray(0, older.length - 1));
    expect((await fixture.open()).lastVersion).toBe(2);
    await fixture.close();
    older.fill(0, 30, 50);
    writeFileSync(path(), older);
    await expect(fixture.open()).rejects.toMatchObject({ code: 'CHANGELOG_CORRUPT' });
  });
});
