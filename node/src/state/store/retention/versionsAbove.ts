import { parseHead, parsePage, tailEntries, tailOf, view } from '../headRecord.ts';
import type { ReadRow } from '../keyHistory.ts';
import { pageRow } from '../rowKey.ts';
import { decodeSpine } from '../spine.ts';
import type { HistoryEdit } from './historyEdit.ts';

/** Versions of a key above `floor`, newest first. */
export async function* versionsAbove(
  bytes: Uint8Array,
  row: Uint8Array,
  floor: number,
  { read, pace }: Pick<HistoryEdit, 'read' | 'pace'>,
): AsyncIterable<number> {
  for (const { newerVersion, tail } of tailsOf(bytes, row, read)) {
    if (newerVersion <= floor) return;
    for (const { version } of tailEntries(tail, newerVersion)) if (version > floor) yield version;
    if (pace.isDue) await pace.rest();
  }
}

/** The head, as a tail that begins with its newest version, and the pages, newest first. */
function* tailsOf(bytes: Uint8Array, row: Uint8Array, read: ReadRow): Iterable<ReturnType<typeof parsePage>> {
  const head = parseHead(bytes);
  yield { newerVersion: head.version, tail: Uint8Array.of(0, 0) };
  yield { newerVersion: head.version, tail: tailOf(head) };
  const leaves = decodeSpine(view(bytes, head.spineStart, head.tailStart))[0];
  for (let ordinal = leaves ? leaves.first + leaves.versions.length - 1 : -1; ordinal >= 0; ordinal--) {
    const page = read(pageRow(row, 0, ordinal));
    if (page === undefined) return;
    yield parsePage(page);
  }
}
