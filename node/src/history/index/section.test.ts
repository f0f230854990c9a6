import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemorySection, OffsetSet, SECTION_HEIGHTS } from './section.ts';

const SECTION = 7;
const heightOf = (offset: number): number => SECTION * SECTION_HEIGHTS + offset;

describe('the open section of the log index', () => {
  it('finds what a scan of all that was added finds', () => {
    const item = fc.oneof(fc.nat(40), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
    const block = fc.array(item, { maxLength: 60 });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 40 }), fc.array(item, { maxLength: 6 }), (blocks, wanted) => {
        const section = new MemorySection(SECTION);
        for (const [offset, items] of blocks.entries()) section.add(heightOf(offset), items);
        const found = new OffsetSet();
        section.find(wanted, found);
        const offsets = blocks.flatMap((items, offset) =>
          items.some((it) => wanted.includes(it)) ? [offset] : [],
        );
        expect(found.offsets()).toEqual(offsets);
        expect(section.pairs).toHaveLength(blocks.flat().length);
      }),
    );
  });

  it('looks at few pairs of other items, however many there are', () => {
    const section = new MemorySection(SECTION);
    let item = 0;
    // 1,600 items a block, all different but one.
    for (let offset = 0; offset < 100; offset++) {
      const items = Array.from({ length: 1600 }, () => Math.imul(++item, 0x85ebca6b) >>> 0);
      section.add(heightOf(offset), offset % 10 === 0 ? [42, ...items] : items);
    }
    const found = new OffsetSet();
    const looks = section.find([42], found);
    expect(found.offsets()).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
    expect(looks).toBeLessThan(30);
  });
});
