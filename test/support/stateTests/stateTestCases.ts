import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EvmFork } from '../../../node/src/evm/index.ts';

/** The public fixtures of ethereum/tests, which lie beside the clone. */
const ARCHIVE = process.env.ETHEREUM_TESTS ?? '../shared/data/ethereum-tests.tar.xz';
const UNPACKED = 'node_modules/.cache/ethereum-tests';

/** Why there are no fixtures, or `undefined` when there are. */
export function missingStateTests(): string | undefined {
  if (existsSync(UNPACKED) || existsSync(ARCHIVE)) return undefined;
  return `the fixtures of ethereum/tests are not at ${ARCHIVE}; set ETHEREUM_TESTS to their archive (tar, xz)`;
}

/** An account before a case. Quantities are hex. */
export interface PreAccount {
  readonly balance: string;
  readonly nonce: string;
  readonly code: string;
  readonly storage: Readonly<Record<string, string>>;
}

/** What a case expects of one transaction under one fork. */
export interface Expectation {
  readonly indexes: { readonly data: number; readonly gas: number; readonly value: number };
  /** State root. */
  readonly hash: string;
  /** keccak256 of the RLP of the logs. */
  readonly logs: string;
  /** The signed transaction. */
  readonly txbytes: string;
  readonly expectException?: string;
}

export interface StateTest {
  readonly env: Readonly<Record<string, string>>;
  readonly pre: Readonly<Record<string, PreAccount>>;
  readonly post: Readonly<Record<string, readonly Expectation[]>>;
}

/** Forks as the fixtures name them. */
export const FORK_OF: Readonly<Record<string, EvmFork>> = {
  Berlin: 'berlin',
  London: 'london',
  Paris: 'paris',
  Shanghai: 'shanghai',
  Cancun: 'cancun',
  Prague: 'prague',
};

/** Files below a folder of the fixtures, ascending. Unpacks the archive the first time. */
export function fixtureFiles(folder: string): readonly string[] {
  unpack();
  const root = join(UNPACKED, folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .map((path) => join(root, path))
    .sort();
}

/** A fixture file's parts by their names. */
export function readFixture<T>(path: string): Readonly<Record<string, T>> {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, T>;
}

function unpack(): void {
  if (existsSync(UNPACKED) && statSync(UNPACKED).isDirectory()) return;
  const draft = `${UNPACKED}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  execFileSync('tar', ['-xJf', ARCHIVE, '-C', draft]);
  if (!existsSync(UNPACKED)) renameSync(draft, UNPACKED);
}
