import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { DEVELOPMENT_BALANCE_WEI } from '../../execution/index.ts';
import { DEVELOPMENT_MNEMONIC, deriveAccounts, type HdAccount } from '../../keys/index.ts';
import { loadConfig } from '../loadConfig.ts';
import { exists } from './homeFiles.ts';
import { DEFAULT_CHAIN_ID, DEFAULT_EVM_CHAIN_ID, initialiseHome } from './initialiseHome.ts';

export interface DevelopmentHomeOptions {
  readonly home: string;
  /** Delete the home first. */
  readonly fresh: boolean;
  /** Of a new home. */
  readonly evmChainId?: bigint;
  /** Funded accounts of a new home; every start derives the same ones. */
  readonly accounts: number;
}

/**
 * Makes a development home where there is none and gives the accounts it funds. Throws
 * CONFIG_NOT_DEVELOPMENT for a home that is not marked as one: it is neither used nor deleted.
 */
export async function prepareDevelopmentHome(options: DevelopmentHomeOptions): Promise<readonly HdAccount[]> {
  const { home, fresh } = options;
  const accounts = deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: options.accounts });
  if (await exists(join(home, CONFIG_FILES.appToml))) {
    await requireDevelopment(home);
    if (!fresh) return accounts;
    await rm(home, { recursive: true });
  }
  const evmChainId = options.evmChainId ?? DEFAULT_EVM_CHAIN_ID;
  await initialiseHome({
    home,
    moniker: 'development',
    chainId: DEFAULT_CHAIN_ID,
    evmChainId,
    mode: 'rpc',
    engine: 'embedded',
    overwrite: false,
    accounts: accounts.map((account) => ({ ...account, balanceWei: DEVELOPMENT_BALANCE_WEI })),
    settings: { 'node.development': true },
  });
  return accounts;
}

async function requireDevelopment(home: string): Promise<void> {
  const { app } = await loadConfig({ home });
  if (app.node.development) return;
  throw new CodedError(
    'CONFIG_NOT_DEVELOPMENT',
    `${home} is not a development home; choose another --home, or run it with "chaind start --home ${home}"`,
    { fields: { home } },
  );
}
