import type { KeyValueDb } from '../../../db/index.ts';
import { bytesToHex, compareBytes, equalBytes, utf8 } from '../../../primitives/index.ts';
import type { RangeReads } from '../../view/index.ts';
import { sumOf } from '../latticeSum.ts';
import type { LtHasher } from '../ltHasher.ts';
import { type DatabaseState, EMPTY_MODULE, isMetaKey, type ModuleState, readState } from '../metaRows.ts';
import { type DatabaseName, moduleOf } from '../rows/physicalKey.ts';
import { rowHeight, rowPayload } from '../rows/rowValue.ts';
import { type ExpectedRow, expectedRows } from './expectedRows.ts';

/** The first thing that is not as it should be. Keys and values are lower-case hex. */
export interface FlatKvDifference {
  readonly database: DatabaseName;
  readonly what:
    | 'version'
    | 'missing row'
    | 'extra row'
    | 'value'
    | 'height'
    | 'module hash'
    | 'module stats'
    | 'hash';
  /** Of the row, physical; or of the meta row that is wrong. */
  readonly key: string;
  readonly expected: string;
  readonly found: string;
}

export interface VerifiedDatabase {
  readonly sum: Uint8Array;
  readonly rows: number;
  readonly difference: FlatKvDifference | undefined;
}

type Difference = Omit<FlatKvDifference, 'database'>;

/** Scans one database beside the rows that the state asks for; stops at the first difference. */
export async function verifyDatabase(
  { database, db }: { readonly database: DatabaseName; readonly db: KeyValueDb },
  { stores, version }: { readonly stores: readonly string[]; readonly version: number },
  { state, hasher }: { readonly state: RangeReads; readonly hasher: LtHasher },
): Promise<VerifiedDatabase> {
  const stored = await readState(db);
  const scan = new Scan(expectedRows(database, stores, state), { version, hasher });
  let difference = versionDifference(stored, version);
  if (!difference) {
    for await (const [key, value] of db.iterate()) {
      difference = isMetaKey(key) ? undefined : scan.take(key, value);
      if (difference) break;
    }
    difference ??= scan.end() ?? sumDifference(stored, scan.modules);
  }
  const sum = sumOf([...scan.modules.values()].map((module) => module.sum));
  return { sum, rows: scan.rows, difference: difference && { database, ...difference } };
}

/** Rows as they come, in the order of their keys; those of one module lie together. */
class Scan {
  readonly modules = new Map<string, ModuleState>();
  rows = 0;
  readonly #expected: Iterator<ExpectedRow>;
  readonly #version: number;
  readonly #hasher: LtHasher;
  #next: ExpectedRow | undefined;
  #module: string | undefined;

  constructor(
    expected: Iterable<ExpectedRow>,
    { version, hasher }: { readonly version: number; readonly hasher: LtHasher },
  ) {
    this.#expected = expected[Symbol.iterator]();
    this.#version = version;
    this.#hasher = hasher;
    this.#advance();
  }

  take(key: Uint8Array, value: Uint8Array): Difference | undefined {
    const difference = this.#compare(key, value);
    if (difference) return difference;
    this.#advance();
    this.#add(key, value);
    return undefined;
  }

  end(): Difference | undefined {
    this.#saveModule();
    return this.#next && missing(this.#next);
  }

  #compare(key: Uint8Array, value: Uint8Array): Difference | undefined {
    const order = this.#next ? compareBytes(this.#next.key, key) : 1;
    const payload = rowPayload(value);
    if (order < 0) return missing(this.#next!);
    if (order > 0)
      return { what: 'extra row', key: bytesToHex(key), expected: 'nothing', found: bytesToHex(payload) };
    const wanted = this.#next!.payload;
    if (!equalBytes(wanted, payload)) {
      return {
        what: 'value',
        key: bytesToHex(key),
        expected: bytesToHex(wanted),
        found: bytesToHex(payload),
      };
    }
    const height = rowHeight(value);
    if (height <= BigInt(this.#version)) return undefined;
    return {
      what: 'height',
      key: bytesToHex(key),
      expected: `up to ${this.#version}`,
      found: String(height),
    };
  }

  #add(key: Uint8Array, value: Uint8Array): void {
    const module = moduleOf(key);
    if (module !== this.#module) {
      this.#saveModule();
      this.#module = module;
      this.#hasher.load(EMPTY_MODULE.sum);
      this.modules.set(module, EMPTY_MODULE);
    }
    this.#hasher.add(key, value);
    this.rows++;
    const { sum, rows, bytes } = this.modules.get(module)!;
    this.modules.set(module, { sum, rows: rows + 1n, bytes: bytes + BigInt(key.length + value.length) });
  }

  #saveModule(): void {
    if (this.#module === undefined) return;
    this.modules.set(this.#module, { ...this.modules.get(this.#module)!, sum: this.#hasher.save() });
  }

  #advance(): void {
    const next = this.#expected.next();
    this.#next = next.done ? undefined : next.value;
  }
}

function missing({ key, payload }: ExpectedRow): Difference {
  return { what: 'missing row', key: bytesToHex(key), expected: bytesToHex(payload), found: 'nothing' };
}

function versionDifference({ version }: DatabaseState, expected: number): Difference | undefined {
  if (version === expected) return undefined;
  return {
    what: 'version',
    key: bytesToHex(utf8('_meta/version')),
    expected: String(expected),
    found: String(version),
  };
}

function sumDifference(
  stored: DatabaseState,
  scanned: ReadonlyMap<string, ModuleState>,
): Difference | undefined {
  for (const module of new Set([...stored.modules.keys(), ...scanned.keys()])) {
    const found = stored.modules.get(module) ?? EMPTY_MODULE;
    const expected = scanned.get(module) ?? EMPTY_MODULE;
    const key = (row: string): string => bytesToHex(utf8(`_meta/x:${module}/${row}`));
    if (!equalBytes(expected.sum, found.sum)) {
      return { what: 'module hash', key: key('hash'), ...inHex(expected.sum, found.sum) };
    }
    if (expected.rows !== found.rows || expected.bytes !== found.bytes) {
      const told = ({ rows, bytes }: ModuleState): string => `${rows} rows, ${bytes} bytes`;
      return { what: 'module stats', key: key('stats'), expected: told(expected), found: told(found) };
    }
  }
  const sum = sumOf([...scanned.values()].map((module) => module.sum));
  if (equalBytes(sum, stored.sum)) return undefined;
  return { what: 'hash', key: bytesToHex(utf8('_meta/hash')), ...inHex(sum, stored.sum) };
}

function inHex(expected: Uint8Array, found: Uint8Array): { expected: string; found: string } {
  return { expected: bytesToHex(expected), found: bytesToHex(found) };
}
