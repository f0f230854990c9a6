import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A change of names below the recorded directory; `inode` is the file that it concerns, if it is one. */
export type NameChange =
  | { readonly kind: 'name'; readonly inode: number; readonly path: string }
  | { readonly kind: 'rename' | 'link'; readonly inode: number; readonly from: string; readonly path: string }
  | { readonly kind: 'symlink'; readonly inode: number; readonly target: string; readonly path: string }
  | { readonly kind: 'mkdir' | 'remove'; readonly inode: number; readonly path: string };

type Event =
  | { readonly kind: 'sync' | 'cut' | 'grown'; readonly inode: number; readonly size: number }
  | { readonly kind: 'syncdir'; readonly path: string }
  | { readonly kind: 'announced'; readonly height: number }
  | NameChange;

/** What `recorder.c` and the driver of the run wrote down, in order. */
export function readJournal(path: string): Event[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.pop();
  return lines.map(parse);
}

function parse(line: string): Event {
  const [kind, a = '', b = ''] = line.split('\t');
  switch (kind) {
    case 'sync':
    case 'cut':
    case 'grown':
      return { kind, inode: Number(a), size: Number(b) };
    case 'name':
      return { kind, inode: Number(a), path: b };
    case 'syncdir':
      return { kind, path: a };
    case 'announced':
      return { kind, height: Number(a) };
    case 'rename':
    case 'link':
      return { kind, inode: 0, from: a, path: b };
    case 'symlink':
      return { kind, inode: 0, target: a, path: b };
    case 'mkdir':
    case 'remove':
      return { kind, inode: 0, path: a };
    default:
      throw new RangeError(`not a line of the journal: ${line}`);
  }
}

export type Entry = { readonly inode: number } | { readonly target: string } | 'directory';
export type Names = Map<string, Entry>;

/** Does the change; one whose source is not there does nothing. */
export function applyChange(names: Names, change: NameChange): void {
  const { path } = change;
  switch (change.kind) {
    case 'name':
      for (let up = dirname(path); up !== '.'; up = dirname(up)) names.set(up, 'directory');
      names.set(path, { inode: change.inode });
      return;
    case 'mkdir':
      names.set(path, 'directory');
      return;
    case 'symlink':
      names.set(path, { target: change.target });
      return;
    case 'remove':
      names.delete(path);
      return;
    default:
      move(names, change);
  }
}

function move(names: Names, change: NameChange & { readonly kind: 'rename' | 'link' }): void {
  const { from, path, kind } = change;
  const entry = names.get(from);
  if (entry === undefined) return;
  if (kind === 'rename') names.delete(from);
  names.set(path, entry);
  if (entry !== 'directory') return;
  for (const [name, below] of [...names]) {
    if (!name.startsWith(`${from}/`)) continue;
    names.delete(name);
    names.set(path + name.slice(from.length), below);
  }
}
