import { isCodedError } from '@chain/platform';
import { evmSplitMigration } from './evmSplit.ts';

/** A process that takes a home's migration as far as it goes without a node: to the step before `start`. */
const [home = '', ...trustedRpcs] = process.argv.slice(2);
const migration = evmSplitMigration(
  {
    home,
    wish: {
      trustedRpcs,
      allowSingleRpc: false,
      delta: 10_000,
      peers: [],
      assumeSnapshots: false,
      resync: false,
    },
    syncLimitMs: 1000,
  },
  { agree: async () => true, tell: () => undefined, onStep: () => undefined, onChecks: () => undefined },
);
process.stdout.write('ready\n');
try {
  await migration.run();
} catch (error) {
  if (!isCodedError(error, 'MIGRATE_START')) throw error;
}
