import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CORPUS = join(import.meta.dirname, 'corpus');

export interface CorpusEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** What is kept of a target. */
export function corpusOf(target: string): CorpusEntry[] {
  const directory = join(CORPUS, target);
  try {
    return readdirSync(directory)
      .sort()
      .map((name) => ({ name, bytes: readFileSync(join(directory, name)) }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}

/** Targets that have a directory. */
export function corpusNames(): string[] {
  return readdirSync(CORPUS).sort();
}

/** Puts an input there, by its hash; `prefix` says why it is there. */
export function keep(target: string, prefix: string, input: Uint8Array): string {
  const directory = join(CORPUS, target);
  mkdirSync(directory, { recursive: true });
  const name = `${prefix}-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
  writeFileSync(join(directory, name), input);
  return join(directory, name);
}
