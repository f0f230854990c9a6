import { isTable, type TomlTable } from '@chain/platform/settings';

/** What happens to one key of an old file. Names are `section.key`. */
export interface KeyMigration {
  readonly name: string;
  /** The key that takes its place, with a value unless the old one stays; absent: the key is commented out. */
  readonly to?: string;
  readonly value?: unknown;
  /** One sentence for the operator. */
  readonly why: string;
}

interface Rule {
  readonly section: string;
  readonly key: string;
  /** `undefined` leaves the key as it is. */
  migrate(value: unknown, section: TomlTable): Omit<KeyMigration, 'name'> | undefined;
}

/** Write modes of older releases in which EVM state was in its own store alone. */
const SPLIT_MODES: readonly unknown[] = ['split_write', 'evm_only'];
const SHADOW_MODES: readonly unknown[] = ['dual_write', 'split_write', 'evm_only'];

const STORE_RULES: readonly Rule[] = [
  {
    section: 'state-store',
    key: 'evm-ss-write-mode',
    migrate: (mode, section) => {
      if ('evm-ss-split' in section) return { why: 'evm-ss-split, which the file has, took its place' };
      const split = SPLIT_MODES.includes(mode);
      return {
        to: 'state-store.evm-ss-split',
        value: split,
        why: split
          ? 'EVM state was in its own store alone; data of an older release still need a state sync'
          : 'EVM state was in the base store too',
      };
    },
  },
  {
    section: 'state-store',
    key: 'evm-ss-read-mode',
    migrate: () => ({ why: 'reads follow evm-ss-split' }),
  },
  {
    section: 'state-store',
    key: 'ss-async-write-buffer',
    migrate: (value) =>
      typeof value === 'number' && value < 0
        ? {
            to: 'state-store.ss-async-write-buffer',
            value: 0,
            why: 'a negative size stood for synchronous writes',
          }
        : undefined,
  },
  {
    section: 'state-store',
    key: 'ss-import-num-workers',
    migrate: (value) =>
      value === 0
        ? { to: 'state-store.ss-import-num-workers', value: 1, why: 'an import needs a writer' }
        : undefined,
  },
  {
    section: 'state-store',
    key: 'ss-backend',
    migrate: (value) =>
      value === 'pebbledb' || value === 'rocksdb'
        ? undefined
        : { to: 'state-store.ss-backend', value: 'pebbledb', why: 'any other name stood for pebbledb' },
  },
];

const COMMIT_RULES: readonly Rule[] = [
  {
    section: 'state-commit',
    key: 'sc-write-mode',
    migrate: (mode, section) =>
      'sc-flatkv' in section
        ? { why: 'sc-flatkv, which the file has, took its place' }
        : {
            to: 'state-commit.sc-flatkv',
            value: SHADOW_MODES.includes(mode) ? 'shadow' : 'off',
            why: 'FlatKV is in the shadow of the tree, or off',
          },
  },
  { section: 'state-commit', key: 'sc-read-mode', migrate: () => ({ why: 'the tree is always read' }) },
  {
    section: 'state-commit',
    key: 'sc-enable-lattice-hash',
    migrate: () => ({ why: 'FlatKV always has its hash' }),
  },
];

const EVM_RULES: readonly Rule[] = [
  {
    section: 'evm',
    key: 'enabled_legacy_sei_apis',
    migrate: (names, section) =>
      'enabled_legacy_chain_apis' in section
        ? { why: 'enabled_legacy_chain_apis, which the file has, took its place' }
        : {
            to: 'evm.enabled_legacy_chain_apis',
            value: Array.isArray(names) ? names.map((name) => currentName(String(name))) : [],
            why: 'the legacy methods have new names',
          },
  },
];

function currentName(name: string): string {
  return name
    .replace(/^sei(2?)_/, 'chain$1_')
    .replace('getSeiAddress', 'getChainAddress')
    .replace('getCosmosTx', 'getLedgerTx');
}

/**
 * What has to change in an app.toml of an older release, or of the reference; `known` are the names of all
 * settings. Empty for a file of this release.
 */
export function migrationsOf(document: TomlTable, known: ReadonlySet<string>): KeyMigration[] {
  const migrations: KeyMigration[] = [];
  for (const { section, key, migrate } of [...STORE_RULES, ...COMMIT_RULES, ...EVM_RULES]) {
    const table = document[section];
    if (!isTable(table) || !Object.hasOwn(table, key)) continue;
    const migration = migrate(table[key], table);
    if (migration) migrations.push({ name: `${section}.${key}`, ...migration });
  }
  return [...migrations, ...respelled(document, known)];
}

/** Keys that differ from a setting only in hyphens and underscores. */
function* respelled(document: TomlTable, known: ReadonlySet<string>): Generator<KeyMigration> {
  for (const [section, table] of Object.entries(document)) {
    if (!isTable(table)) continue;
    for (const key of Object.keys(table)) {
      if (known.has(`${section}.${key}`)) continue;
      const other = [key.replaceAll('-', '_'), key.replaceAll('_', '-')].find((spelling) =>
        known.has(`${section}.${spelling}`),
      );
      if (other === undefined || other in table) continue;
      yield { name: `${section}.${key}`, to: `${section}.${other}`, why: 'hyphens and underscores' };
    }
  }
}
