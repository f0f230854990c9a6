import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Text becomes a value past the door, which bounds depth and size: by V8's parser, or by a fetched body's. */
const BARE = /\bJSON\.parse\b|\bawait \w+\.json\(\)/;

/** Files that may, and why. */
const MAY: Readonly<Record<string, string>> = {
  'platform/src/json/parseJson.ts': 'the door itself',
  'node/src/tracing/javaScript/bootstrap.ts': 'runs inside the sandbox of QuickJS',
  'node/src/rpc/jobs/traceFilter.ts': 'what a tracer of this process wrote, as deep as frames go',
  'node/src/rpc/jobs/traceQueries.ts': 'what a tracer of this process wrote, as deep as frames go',
  'node/src/evm/precompile/jsonMembers.ts': 'within blocks: the limits of the chain, not of a listener',
};

function bareIn(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, i) => (BARE.test(line) ? [`${path}:${i + 1}`] : []));
}

describe('JSON', () => {
  it('that is read past the door would be found', () => {
    const planted = [
      'const a = JSON.parse(text);',
      'const b = await response.json();',
      'texts.map(JSON.parse)',
    ];
    expect(bareIn('planted.ts', planted.join('\n'))).toEqual([
      'planted.ts:1',
      'planted.ts:2',
      'planted.ts:3',
    ]);
    expect(bareIn('planted.ts', 'parseJson(text); list.json();')).toEqual([]);
  });

  it('is read through parseJson alone', () => {
    const sources = globSync('{node,operator,platform,sidecars/*}/src/**/*.ts', { cwd: ROOT }).filter(
      (path) => !/\.(test|fixture)\.ts$/.test(path) && !(path in MAY),
    );
    expect(sources.length).toBeGreaterThan(1000);
    expect(sources.flatMap((path) => bareIn(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });
});
