import type { Compaction, DbRange } from '../../../db/index.ts';
import { prefixEnd } from '../../../primitives/index.ts';

/** Bytes that one compaction takes on: a stop waits for no more than that. */
const STEP_BYTES = 128 << 20;
/** Longer common prefixes are not split further. */
const MAX_PREFIX = 40;

/** Compacts a range in bounded steps; `isStopped` is asked before each. */
export async function compactInSteps(
  compaction: Compaction,
  { start, end }: Required<Pick<DbRange, 'start' | 'end'>>,
  isStopped: () => boolean,
): Promise<void> {
  for (let tag = start[0]!; tag < end[0]! && !isStopped(); tag++) {
    await compactPrefix(compaction, Uint8Array.of(tag), isStopped);
  }
}

async function compactPrefix(
  compaction: Compaction,
  prefix: Uint8Array,
  isStopped: () => boolean,
): Promise<void> {
  const end = prefixEnd(prefix)!;
  const size = await compaction.approximateSize(prefix, end);
  if (isStopped()) return;
  if (size <= STEP_BYTES || prefix.length >= MAX_PREFIX) {
    await compaction.compact(prefix, end);
    return;
  }
  for (let byte = 0; byte < 0x100 && !isStopped(); byte++) {
    const longer = Buffer.concat([prefix, Uint8Array.of(byte)]);
    if ((await compaction.approximateSize(longer, prefixEnd(longer)!)) > 0)
      await compactPrefix(compaction, longer, isStopped);
  }
}
