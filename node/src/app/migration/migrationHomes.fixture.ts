import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCodedError } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { editAppToml, editConfigToml, initialiseHome } from '../../config/index.ts';
import { readSignState } from '../../keys/index.ts';
import { type Check, type Journal, type PreflightWish, STEPS, type StepName } from '../../migrate/index.ts';
import { evmSplitMigration } from './evmSplit.ts';
import { openTrustedRpc, type TrustedRpc } from './trustedRpc.fixture.ts';

/** What the validator key of every home here has signed last. */
export const SIGNED = { height: '777', round: 1, step: 3, signature: 'c2ln', signbytes: 'AABB' };

/** Homes of an RPC node without the split, and two servers that it may trust. */
export interface MigrationHomes {
  readonly root: string;
  /** What every fresh home begins as. */
  readonly pattern: string;
  readonly rpcs: readonly TrustedRpc[];
  fresh(): string;
  open(home: string, over?: Partial<PreflightWish>, approvedBackup?: string): OpenedMigration;
  close(): void;
}

export interface OpenedMigration {
  readonly migration: ReturnType<typeof evmSplitMigration>;
  readonly checks: readonly Check[];
  steps(...names: StepName[]): Promise<void>;
}

export async function createMigrationHomes(): Promise<MigrationHomes> {
  const root = mkdtempSync(join(tmpdir(), 'migrate-'));
  const rpcs = [await openTrustedRpc(), await openTrustedRpc()];
  const pattern = join(root, 'pattern');
  await makePattern(pattern);
  let count = 0;
  return {
    root,
    pattern,
    rpcs,
    fresh: () => {
      const home = join(root, `home-${count++}`);
      cpSync(pattern, home, { recursive: true });
      return home;
    },
    open: (home, over = {}, approvedBackup = undefined) =>
      openMigration(home, { trustedRpcs: rpcs.map(({ url }) => url), ...over }, approvedBackup),
    close: () => {
      for (const rpc of rpcs) rpc.close();
      rmSync(root, { recursive: true });
    },
  };
}

async function makePattern(home: string): Promise<void> {
  await initialiseHome({
    home,
    moniker: 'mover',
    chainId: 'move-1',
    evmChainId: 4242n,
    mode: 'rpc',
    engine: 'cometbft',
    overwrite: false,
  });
  for (const file of ['pebbledb/CURRENT', 'committer.db/snapshot-9/kvs', 'changelog/1.log', 'evm_ss/stale']) {
    mkdirSync(join(home, 'data', file, '..'), { recursive: true });
    writeFileSync(join(home, 'data', file), file);
  }
  mkdirSync(join(home, 'wasm'));
  writeFileSync(join(home, 'wasm/code'), 'code');
  writeFileSync(join(home, CONFIG_FILES.validatorState), JSON.stringify(SIGNED));
}

function openMigration(
  home: string,
  over: Partial<PreflightWish>,
  approvedBackup: string | undefined,
): OpenedMigration {
  const checks: Check[] = [];
  const wish: PreflightWish = {
    trustedRpcs: [],
    allowSingleRpc: false,
    delta: 10_000,
    peers: [],
    assumeSnapshots: false,
    resync: false,
    ...over,
  };
  const migration = evmSplitMigration(
    { home, wish, syncLimitMs: 1000, ...(approvedBackup !== undefined && { approvedBackup }) },
    {
      agree: async () => true,
      tell: () => undefined,
      onStep: () => undefined,
      onChecks: (found) => checks.push(...found),
    },
  );
  const steps = async (...names: StepName[]) => {
    for (const name of names) await migration.runStep(name);
  };
  return { migration, steps, checks };
}

export const stepsBefore = (last: StepName): StepName[] => STEPS.slice(0, STEPS.indexOf(last));

export const bytesOf = (home: string, file: string): string => readFileSync(join(home, file), 'utf8');

export function edit(home: string, file: 'app' | 'config', values: Readonly<Record<string, unknown>>): void {
  const path = join(home, file === 'app' ? CONFIG_FILES.appToml : CONFIG_FILES.configToml);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, file === 'app' ? editAppToml(text, values) : editConfigToml(text, values));
}

export const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing is thrown',
    (error: unknown) => (isCodedError(error) ? error.code : String(error)),
  );

export function journalOf(home: string): Journal | undefined {
  return existsSync(join(home, 'migration/journal.json'))
    ? (JSON.parse(bytesOf(home, 'migration/journal.json')) as Journal)
    : undefined;
}

/**
 * What must be so at every instant: the keys lie in the home, or in the backup that the journal knows, or in both, and
 * no signature is forgotten. Gives what is wrong.
 */
export async function lostFrom(home: string, pattern: string): Promise<string[]> {
  const backup = journalOf(home)?.backup;
  const places = [home, ...(backup ? [backup.directory] : [])];
  const lost = [CONFIG_FILES.validatorKey, CONFIG_FILES.genesis, CONFIG_FILES.nodeKey].filter(
    (file) =>
      !places.some(
        (place) => existsSync(join(place, file)) && bytesOf(place, file) === bytesOf(pattern, file),
      ),
  );
  const states = await Promise.all(
    places
      .map((place) => join(place, CONFIG_FILES.validatorState))
      .filter((path) => existsSync(path))
      .map((path) => readSignState(path)),
  );
  const signed = Math.max(...states.map(({ height }) => height));
  return signed >= Number(SIGNED.height) ? lost : [...lost, CONFIG_FILES.validatorState];
}
