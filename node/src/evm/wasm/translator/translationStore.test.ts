import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { hexToBytes } from '../../../primitives/index.ts';
import { translate } from './translate.ts';
import { TranslationStore } from './translationStore.ts';
import { type TranslatedModule, TranslationThread } from './translationThread.ts';

const CODE = { code: hexToBytes('6127105b600190038060035700'), fork: 'prague' } as const;
const OTHER = { code: hexToBytes('60205ff3'), fork: 'prague' } as const;
const OLDER = { ...CODE, fork: 'berlin' } as const;
let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'translations-')), 'cache/evm');
});
afterEach(() => rmSync(join(directory, '../..'), { recursive: true }));

it('gives back what it keeps, and knows nothing of other codes', () => {
  const store = new TranslationStore({ directory });
  expect(store.read(CODE)).toBeUndefined();
  const translation = translate(CODE)!;
  store.keep(CODE, translation);
  const again = new TranslationStore({ directory });
  expect(again.read(CODE)).toEqual(translation);
  expect(again.read(OTHER)).toBeUndefined();
  expect(again.read(OLDER)).toBeUndefined();
  expect([...again.names()]).toEqual([again.nameOf(CODE)]);
});

it.each([
  ['with a bit that turned', (file: Uint8Array) => file.with(file.length - 9, file.at(-9)! ^ 4)],
  ['with another count of entries', (file: Uint8Array) => file.with(32, 0xff)],
  ['cut short', (file: Uint8Array) => file.subarray(0, 60)],
  ['that is empty', () => new Uint8Array(0)],
])('deletes a file %s, and gives nothing', (_name, damage) => {
  const store = new TranslationStore({ directory });
  store.keep(CODE, translate(CODE)!);
  const path = join(directory, store.nameOf(CODE));
  writeFileSync(path, damage(Uint8Array.from(readFileSync(path))));
  expect(store.read(CODE)).toBeUndefined();
  expect(readdirSync(directory)).toEqual([]);
});

it.each([
  ['the directory is of another user', () => ({ user: (process.getuid?.() ?? 0) + 1 })],
  ['everybody may write to the directory', () => void chmodSync(directory, 0o777)],
  ['everybody may write to the file', () => void chmodSync(onlyFile(), 0o666)],
  [
    'the file is a link',
    () => {
      renameSync(onlyFile(), join(directory, '../moved'));
      symlinkSync('../moved', join(directory, new TranslationStore({ directory }).nameOf(CODE)));
    },
  ],
  [
    'the directory is a link',
    () => {
      renameSync(directory, join(directory, '../moved'));
      symlinkSync('moved', directory);
    },
  ],
])('runs nothing of what others may have put there: %s', (_how, meddle) => {
  new TranslationStore({ directory }).keep(CODE, translate(CODE)!);
  const options = meddle() ?? {};
  const store = new TranslationStore({ directory, ...options });
  expect(store.read(CODE)).toBeUndefined();
});

function onlyFile(): string {
  return join(directory, readdirSync(directory)[0]!);
}

it('forgets what was used longest ago when it grows too large', () => {
  const translation = translate(CODE)!;
  const store = new TranslationStore({ directory, maxBytes: 4 * translation.module.length });
  const codes = Array.from({ length: 6 }, (_, i) => ({ ...CODE, code: Uint8Array.of(i) }));
  for (const [i, code] of codes.entries()) {
    store.keep(code, translation);
    utimesSync(join(directory, store.nameOf(code)), i, i);
  }
  expect(store.read(codes[0]!)).toBeUndefined();
  expect(store.read(codes[5]!)).toEqual(translation);
});

it('costs nothing but time when its directory cannot be', () => {
  const store = new TranslationStore({ directory: '/dev/null/cache' });
  store.keep(CODE, translate(CODE)!);
  expect(store.read(CODE)).toBeUndefined();
  expect(store.names().size).toBe(0);
});

it('is filled by the thread that translates, and tells the next process what to translate at once', async () => {
  const thread = new TranslationThread(directory);
  expect(thread.isStored(CODE)).toBe(false);
  const translated = await new Promise<TranslatedModule | undefined>((resolve) => {
    thread.request(CODE, resolve);
    const poll = setInterval(() => thread.poll(), 10);
    onTestFinished(() => clearInterval(poll));
  });
  expect(translated?.entries).toEqual(translate(CODE)!.entries);
  const next = new TranslationThread(directory);
  expect(next.isStored(CODE)).toBe(true);
  expect(next.isStored(OTHER)).toBe(false);
}, 120_000);
