import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, pathExists } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { DEFAULT_CHAIN_ID, initialiseHome, loadConfig } from '../config/index.ts';
import {
  DEVELOPMENT_BALANCE_WEI,
  DEVELOPMENT_COIN,
  DEVELOPMENT_CONTRACTS,
  DEVELOPMENT_DENOMINATION,
} from '../execution/index.ts';
import { DEVELOPMENT_MNEMONIC, deriveAccounts, type HdAccount } from '../keys/index.ts';
import { developmentBanner } from './developmentBanner.ts';
import { runUntilStopped } from './runUntilStopped.ts';
import { loggerOf } from './startNode.ts';
import type { StartOptions } from './startOptions.ts';

export interface DevelopmentOptions extends StartOptions {
  /** Deletes the home first. */
  readonly fresh: boolean;
  readonly blockTimeMs: number;
  /** Funded accounts of a new home. */
  readonly accounts: number;
  readonly evmChainId: bigint;
}

/** `chaind dev`: makes or reopens a development home and runs it until SIGINT or SIGTERM. */
export async function startDevelopmentNode(options: DevelopmentOptions): Promise<void> {
  const accounts = deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: options.accounts });
  if (options.fresh) await removeDevelopmentHome(options.home);
  if (!(await pathExists(join(options.home, CONFIG_FILES.genesis)))) await makeHome(options, accounts);
  const config = await loadConfig(options);
  if (!config.app.node.development) throw notADevelopmentHome(options.home);
  const logger = loggerOf(config);
  await runUntilStopped({ config, blockTimeMs: options.blockTimeMs, accounts }, { logger }, (node) =>
    process.stdout.write(developmentBanner(node, { config, accounts })),
  );
}

async function makeHome(
  { home, evmChainId, flags }: DevelopmentOptions,
  accounts: readonly HdAccount[],
): Promise<void> {
  await initialiseHome({
    home,
    moniker: 'development',
    chainId: DEFAULT_CHAIN_ID,
    evmChainId,
    mode: 'rpc',
    engine: 'embedded',
    overwrite: false,
    accounts: accounts.map((account) => ({
      ...account,
      balanceWei: DEVELOPMENT_BALANCE_WEI,
      coins: [DEVELOPMENT_COIN],
    })),
    denominations: [DEVELOPMENT_DENOMINATION],
    contracts: DEVELOPMENT_CONTRACTS,
    settings: {
      'node.development': true,
      'evm.allow_unprotected_txs': true,
      'explorer.enabled': true,
      // Tools send all they have at once, each over a socket of its own.
      'evm.max_open_connections': 20_000,
      // Pages of frontends under development come from ports of their own.
      'evm.cors_origins': '*',
      'evm.ws_origins': '*',
      'api.cors-origins': '*',
      // The layout belongs to the data: the next start without the flag must find it in the file.
      'state-store.evm-ss-split': flags['state-store.evm-ss-split'] === 'true',
    },
  });
}

/** Deletes only what says that it is a development home: anything else would be lost for a slip of --home. */
async function removeDevelopmentHome(home: string): Promise<void> {
  if (!(await pathExists(home))) return;
  const config = await loadConfig({ home }).catch(() => undefined);
  if (!config?.app.node.development) throw notADevelopmentHome(home);
  await rm(home, { recursive: true });
}

function notADevelopmentHome(home: string): CodedError {
  return new CodedError(
    'APP_NOT_A_DEVELOPMENT_HOME',
    `${home} is not a development home; use "chaind start --home ${home}", or another --home for "chaind dev"`,
    { fields: { home } },
  );
}
