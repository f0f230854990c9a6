import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Names of values that hold sentences for people. */
const SENTENCE =
  '(?:\\w+\\??\\.)*(?:message|messages|reason|problem|notReady|progress|detail|trouble|remedy|failure|log|stderr|vmError|error)';
const ASKED = '(?:startsWith|endsWith|includes|match|matchAll|search)';
/** Each is a way to read a value out of a sentence, or to decide by its words. */
const READINGS: readonly RegExp[] = [
  new RegExp(`\\b${SENTENCE}\\??\\.${ASKED}\\(['"\`/A-Z]`),
  new RegExp(`(?:/[a-z]*|[A-Z_]+)\\.(?:test|exec)\\((?:String\\()?\\(?${SENTENCE}\\b(?! as|\\.code)`),
  /(?:\/[a-z]*|[A-Z_]+)\.(?:test|exec)\((?:messageOf|describeCause)\(/,
  new RegExp(`\\bmessage\\)\\.${ASKED}\\(`),
  new RegExp(`\\b${SENTENCE}\\??\\.(?:startsWith|endsWith)\\(`),
];

/** Files that read sentences of others, which give no code with them, or compare texts that are the wire's. */
const MAY: Readonly<Record<string, string>> = {
  'node/src/consensus/cometbft/client/broadcaster.ts': 'CometBFT gives one code for all refusals of its pool',
  'node/src/db/dbErrors.ts': 'LevelDB has one code for all kinds of damage',
  'node/src/evm/ethereumjs/errors.ts': 'the library of the reference engine puts the place behind its words',
  'node/src/evm/vmErrors.ts': "the owner of the EVM's failures, whose texts are the wire's",
  'node/src/keys/v3Cipher.ts': 'the library of the keystore has no codes',
  'node/src/tracing/parityError.ts': "Parity's words for geth's",
  'node/src/tracing/refusedTrace.ts': 'a receipt holds no more than the text, as the chain has it',
  'operator/src/kube/client/waitingReason.ts': 'the kubelet writes codes, whose set is open',
  'operator/src/kube/client/kubeErrors.ts': 'quotas and admission have no reason of their own in a Status',
  'platform/src/diskFull.ts': 'native libraries say it in words only',
  'platform/src/resourceError.ts': 'V8 says it in words only',
};

function readingsIn(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, i) => (READINGS.some((reading) => reading.test(line)) ? [`${path}:${i + 1}`] : []));
}

describe('sentences', () => {
  it.each([
    "if (report.notReady?.startsWith('syncing')) return;",
    "const found = /chunk \\d+ of \\d+/.exec(report.progress ?? '')?.[0];",
    'return record.message.startsWith(WAITS)',
    '/intrinsic gas|floor data gas/.test(error.message);',
    "if (!outcome.error.startsWith('out of gas')) return;",
    "if (error.message.includes('already exists')) return;",
    'isCrashing: failure?.includes(AGAIN) ?? false,',
    'return DAMAGE.test(describeCause(cause))',
  ])('one that a program reads would be found: %s', (planted) => {
    expect(readingsIn('planted.ts', planted)).toEqual(['planted.ts:1']);
  });

  it.each(["if (error.code === 'KUBE_GONE') return;", "reasons.includes('Trust')", 'log.includes(entry)'])(
    'codes are no sentences: %s',
    (line) => expect(readingsIn('code.ts', line)).toEqual([]),
  );

  it('are for people: what a program goes by has a code or a field beside them', () => {
    const sources = globSync('{node,operator,platform,sidecars/*}/src/**/*.ts', { cwd: ROOT }).filter(
      (path) => !/\.(test|fixture)\.ts$/.test(path),
    );
    expect(sources.length).toBeGreaterThan(1000);
    const reading = sources.flatMap((path) => readingsIn(path, readFileSync(join(ROOT, path), 'utf8')));
    const files = new Set(reading.map((place) => place.replace(/:\d+$/, '')));
    expect(reading.filter((place) => !(place.replace(/:\d+$/, '') in MAY))).toEqual([]);
    expect(Object.keys(MAY).filter((path) => !files.has(path))).toEqual([]);
  });
});
