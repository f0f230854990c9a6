import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FORBIDDEN_NAMES = /^(utils?|helpers?|common|misc|types|constants|shared|manager)\.ts$/;
const sources = ['platform/src', 'node/src', 'operator/src', 'sidecars/rateLimiter/src'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(root, path)),
);
const handWritten = sources.filter((path) => !path.endsWith('.test.ts') && !path.endsWith('index.ts'));

/** `node/src/<room>`, `node/src/state/<room>`, `node/src/evm/wasm/<room>` or a sidecar's: the folders that must have a door. */
const ROOM =
  /^(?:node\/src\/(?:state\/[^/]+|(?!state\/)[^/]+)|(?:operator|sidecars\/[^/]+)\/src\/[^/]+)(?=\/)/;
const INNER_ROOM = /^node\/src\/evm\/wasm\/[^/]+(?=\/)/;
const rooms = [
  ...new Set(
    sources.flatMap((path) => [ROOM.exec(path)?.[0] ?? [], INNER_ROOM.exec(path)?.[0] ?? []].flat()),
  ),
];

describe('rooms', () => {
  it.each(rooms)('%s has a door that says what it owns, what it does not, and its invariants', (room) => {
    const door = join(room, 'index.ts');
    expect(existsSync(door)).toBe(true);
    expect(readFileSync(door, 'utf8')).toMatch(
      /^\/\*\*[\s\S]*Owns[\s\S]*[Dd]oes not own[\s\S]*[Ii]nvariant[\s\S]*?\*\//,
    );
  });

  it('keep files small: the median at most 80 lines, none over 300', () => {
    const lengths = handWritten
      .map((path) => readFileSync(path, 'utf8').split('\n').length)
      .sort((a, b) => a - b);
    expect(lengths[lengths.length >> 1]).toBeLessThanOrEqual(80);
    expect(lengths.at(-1)).toBeLessThanOrEqual(301);
  });

  it('have no drawers: no file is named for what it is not', () => {
    expect(sources.filter((path) => FORBIDDEN_NAMES.test(path.slice(dirname(path).length + 1)))).toEqual([]);
  });

  it('leave no marker of unfinished work', () => {
    const marker = new RegExp(['TO', 'DO|FIX', 'ME'].join(''));
    expect(sources.filter((path) => marker.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});
