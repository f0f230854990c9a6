import {
  encodeHead,
  parseHead,
  parsePage,
  type TailEntry,
  tailEntries,
  tailOf,
  view,
} from '../headRecord.ts';
import { need } from '../keyHistory.ts';
import { pageRow, valueRow } from '../rowKey.ts';
import { decodeSpine, encodeSpine, FAN_OUT, type Spine } from '../spine.ts';
import { decodeVersionPage, type VersionList } from '../versionList.ts';
import { type EditedHead, type HistoryEdit, NOTHING } from './historyEdit.ts';

/** Takes back every version above `version`, which is not below the store's floor. */
export function rewindHistory(
  bytes: Uint8Array,
  row: Uint8Array,
  version: number,
  edit: HistoryEdit,
): EditedHead {
  const head = parseHead(bytes);
  if (head.version <= version) return undefined;
  const spine = view(bytes, head.spineStart, head.tailStart);
  const target = { row, version, edit };
  return (
    rewindTail({ tail: tailOf(head), newerVersion: head.version }, target, () => spine) ??
    rewindPages(decodeSpine(spine), target)
  );
}

interface Target {
  readonly row: Uint8Array;
  readonly version: number;
  readonly edit: HistoryEdit;
}

/** The head that the newest entry at or below the target becomes; `undefined` when there is none in this tail. */
function rewindTail(
  { tail, newerVersion }: { readonly tail: Uint8Array; readonly newerVersion: number },
  { row, version, edit }: Target,
  spine: () => Uint8Array,
): Uint8Array | undefined {
  for (const entry of tailEntries(tail, newerVersion)) {
    const own = valueRow(row, entry.version);
    const value =
      entry.version <= version ? restoredValue(entry, tail, () => need(edit.read, own)) : undefined;
    if (entry.outside) edit.operations.push({ type: 'del', key: own });
    if (value === undefined) continue;
    const rest = view(tail, entry.end, tail.length);
    return encodeHead({ version: entry.version, value, spine: spine(), tail: [NOTHING, rest] });
  }
  return undefined;
}

function restoredValue(entry: TailEntry, tail: Uint8Array, read: () => Uint8Array): Uint8Array | null {
  if (!entry.live) return null;
  return entry.outside ? read() : view(tail, entry.valueStart, entry.end);
}

function rewindPages(spine: Spine, target: Target): Uint8Array | null {
  const { row, edit } = target;
  for (let leaves = countAt(spine, 0); leaves > 0; leaves--) {
    const key = pageRow(row, 0, leaves - 1);
    const page = edit.read(key);
    // Pruned, as are all older ones: at the target the key was not there.
    if (page === undefined) break;
    edit.operations.push({ type: 'del', key });
    const head = rewindTail(parsePage(page), target, () => cutSpine(spine, leaves - 1, target));
    if (head !== undefined) return head;
  }
  cutSpine(spine, 0, target);
  return null;
}

/** Pages that a level has or had. */
function countAt(spine: Spine, level: number): number {
  const list = spine[level];
  return list ? list.first + list.versions.length : 0;
}

/** The spine as it was when there were `leaves` leaves; index pages that were not there yet are deleted. */
function cutSpine(spine: Spine, leaves: number, { row, edit }: Target): Uint8Array {
  const lists: VersionList[] = [];
  let count = leaves;
  for (let level = 0; level < spine.length; level++) {
    const above = Math.floor(count / FAN_OUT);
    const held = countAt(spine, level);
    let list = spine[level]!;
    // What filled an index page meanwhile comes back from it.
    if (above < Math.floor(held / FAN_OUT)) {
      const page = edit.read(pageRow(row, level + 1, above));
      list = page === undefined ? { first: count, versions: [] } : decodeVersionPage(page);
    }
    const first = Math.min(list.first, count);
    lists.push({ first, versions: list.versions.slice(0, Math.max(0, count - list.first)) });
    for (let ordinal = above; ordinal < Math.floor(held / FAN_OUT); ordinal++) {
      edit.operations.push({ type: 'del', key: pageRow(row, level + 1, ordinal) });
    }
    count = above;
  }
  return lists.every(({ versions }) => versions.length === 0) && leaves === 0 ? NOTHING : encodeSpine(lists);
}
