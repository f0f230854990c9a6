import {
  encodeHead,
  encodePage,
  newestValue,
  parseHead,
  parsePage,
  tailEntries,
  tailOf,
  view,
} from '../headRecord.ts';
import { need } from '../keyHistory.ts';
import { pageRow, valueRow } from '../rowKey.ts';
import { decodeSpine, encodeSpine } from '../spine.ts';
import { decodeVersionPage, encodeVersionList, type VersionList } from '../versionList.ts';
import { type EditedHead, type HistoryEdit, NOTHING } from './historyEdit.ts';

/**
 * Drops what no read at or above `floor` needs: of the versions at or below it all but the newest, and that one
 * too when it is a deletion.
 */
export function pruneHistory(
  bytes: Uint8Array,
  row: Uint8Array,
  floor: number,
  edit: HistoryEdit,
): EditedHead | Promise<EditedHead> {
  const head = parseHead(bytes);
  const tail = tailOf(head);
  const isMet = head.version <= floor;
  const cut = cutTail(tail, { newerVersion: head.version, floor, isMet });
  dropValues(row, cut.outside, edit);
  const rest = view(tail, 0, cut.keep);
  const finish = (spine: Uint8Array, changed: boolean): EditedHead => {
    if (isMet && !head.live) return null;
    if (!changed && cut.keep === tail.length) return undefined;
    return encodeHead({
      version: head.version,
      value: newestValue(head) ?? null,
      spine,
      tail: [NOTHING, rest],
    });
  };
  if (head.spineStart === head.tailStart) return finish(NOTHING, false);
  const spine = decodeSpine(view(bytes, head.spineStart, head.tailStart));
  return pruneSpine(spine, { row, floor, edit, isMet: cut.isMet }).then(({ lists, changed }) =>
    finish(lists.every(({ versions }) => versions.length === 0) ? NOTHING : encodeSpine(lists), changed),
  );
}

interface Cut {
  /** Bytes of the tail that stay. */
  readonly keep: number;
  /** The newest version at or below the floor is in this part of the history or in a newer one. */
  readonly isMet: boolean;
  /** Dropped versions whose values are in rows of their own. */
  readonly outside: readonly number[];
}

function cutTail(tail: Uint8Array, from: { newerVersion: number; floor: number; isMet: boolean }): Cut {
  let { isMet } = from;
  let keep = 0;
  const outside: number[] = [];
  for (const { version, live, outside: isOutside, end } of tailEntries(tail, from.newerVersion)) {
    if (!isMet && (version > from.floor || live)) keep = end;
    else if (isOutside) outside.push(version);
    if (version <= from.floor) isMet = true;
  }
  return { keep, isMet, outside };
}

interface Pruning {
  readonly row: Uint8Array;
  readonly floor: number;
  readonly edit: HistoryEdit;
}

/** Lowest version of the page behind; at or below the floor, all older pages can go. */
type Behind = number;

async function pruneSpine(
  spine: readonly VersionList[],
  pruning: Pruning & { readonly isMet: boolean },
): Promise<{ lists: VersionList[]; changed: boolean }> {
  let behind: Behind = pruning.isMet ? 0 : Number.POSITIVE_INFINITY;
  const lists: VersionList[] = [];
  let changed = false;
  for (let level = 0; level < spine.length; level++) {
    const list = spine[level]!;
    const kept = await pruneList(list, level, behind, pruning);
    changed ||= kept.changed;
    lists.push(kept.list);
    behind = list.versions[0] ?? behind;
  }
  return { lists, changed };
}

/** Pages are dropped from the front of their list. `changed` also tells of changes in the pages themselves. */
async function pruneList(
  list: VersionList,
  level: number,
  behind: Behind,
  pruning: Pruning,
): Promise<{ list: VersionList; changed: boolean }> {
  const { first, versions } = list;
  let dropped = 0;
  for (let i = versions.length - 1; i >= 0; i--) {
    const next = versions[i + 1] ?? behind;
    const gone =
      next <= pruning.floor
        ? await dropPage(level, first + i, pruning)
        : versions[i]! <= pruning.floor && (await trimPage(level, first + i, next, pruning));
    if (gone) dropped++;
    if (pruning.edit.pace.isDue) await pruning.edit.pace.rest();
  }
  if (dropped === 0) return { list, changed: false };
  return { list: { first: first + dropped, versions: versions.slice(dropped) }, changed: true };
}

async function dropPage(level: number, ordinal: number, pruning: Pruning): Promise<true> {
  const { row, edit } = pruning;
  const key = pageRow(row, level, ordinal);
  const page = need(edit.read, key);
  if (level > 0) await pruneList(decodeVersionPage(page), level - 1, 0, pruning);
  else {
    const { newerVersion, tail } = parsePage(page);
    dropValues(row, cutTail(tail, { newerVersion, floor: pruning.floor, isMet: true }).outside, edit);
  }
  edit.operations.push({ type: 'del', key });
  return true;
}

/** The page that the floor falls into; true when nothing of it is left. */
async function trimPage(level: number, ordinal: number, next: Behind, pruning: Pruning): Promise<boolean> {
  const { row, floor, edit } = pruning;
  const key = pageRow(row, level, ordinal);
  const page = need(edit.read, key);
  if (level > 0) {
    const { list, changed } = await pruneList(decodeVersionPage(page), level - 1, next, pruning);
    if (list.versions.length === 0) edit.operations.push({ type: 'del', key });
    else if (changed) edit.operations.push({ type: 'put', key, value: encodeVersionList(list) });
    return list.versions.length === 0;
  }
  const { newerVersion, tail } = parsePage(page);
  const { keep, outside } = cutTail(tail, { newerVersion, floor, isMet: false });
  dropValues(row, outside, edit);
  if (keep === 0) edit.operations.push({ type: 'del', key });
  else if (keep < tail.length) {
    edit.operations.push({ type: 'put', key, value: encodePage(newerVersion, view(tail, 0, keep)) });
  }
  return keep === 0;
}

function dropValues(row: Uint8Array, versions: readonly number[], { operations }: HistoryEdit): void {
  for (const version of versions) operations.push({ type: 'del', key: valueRow(row, version) });
}
