import { join } from 'node:path';
import { CONFIG_FILES } from '@chain/platform/contract';

/** What makes a node itself: backed up, wiped where the procedure says so (spec M-3), and restored. */
export const IDENTITY_FILES = [
  CONFIG_FILES.validatorState,
  CONFIG_FILES.validatorKey,
  CONFIG_FILES.genesis,
  CONFIG_FILES.nodeKey,
] as const;
/** Backed up so that `configure` and `abort` start from what the operator wrote. */
export const SETTINGS_FILES = [CONFIG_FILES.appToml, CONFIG_FILES.configToml] as const;
/** What the wipe deletes (spec M-3) beside all under `data/` and the wasm directory. */
export const WIPED_FILES = [
  CONFIG_FILES.validatorKey,
  CONFIG_FILES.genesis,
  CONFIG_FILES.configToml,
] as const;

const ROOT = 'migration';

/** Where a migration keeps its own files: in the home, outside every wiped path. */
export const migrationPlaces = (home: string) => {
  const root = join(home, ROOT);
  return {
    root,
    journal: join(root, 'journal.json'),
    /** The first backup is 1; each later sign state makes another. */
    backup: (id: string, number: number) => join(root, id, `backup-${number}`),
    report: (id: string, kind: 'json' | 'md') => join(root, id, `report.${kind}`),
  };
};
