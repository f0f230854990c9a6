import { join } from 'node:path';
import { CodedError, pathExists, systemClock, writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { blockTimeFromMillis, DEFAULT_CONSENSUS_PARAMS, formatGenesisDoc } from '../../comet/index.ts';
import { createGenesisState, type FundedAccount, type GenesisMetadataJson } from '../../execution/index.ts';
import {
  createNodeKey,
  createSignState,
  createValidatorKey,
  readNodeKey,
  readValidatorKey,
  type ValidatorKey,
} from '../../keys/index.ts';
import { appToml, configToml } from '../configFiles.ts';
import type { NodeMode } from '../nodeMode.ts';
import { type GivenFiles, placeGivenKeys, readGivenGenesis } from './givenFiles.ts';
import { makeHomeDirectories, refuseOccupiedHome } from './homeFiles.ts';

export const DEFAULT_CHAIN_ID = 'chain-local-1';
/** Of the default chain only (spec L-1, Identity). */
const DEFAULT_EVM_CHAIN_ID = 713_714n;

export interface HomeOptions {
  readonly home: string;
  readonly moniker: string;
  readonly chainId: string;
  /** Required with any chain id but the default one. */
  readonly evmChainId?: bigint;
  readonly mode: NodeMode;
  readonly engine: 'embedded' | 'cometbft';
  /** Replaces genesis and configuration; keys and the last-sign state stay. */
  readonly overwrite: boolean;
  /** Accounts that genesis funds. */
  readonly accounts?: readonly FundedAccount[];
  /** Files that take the place of new ones; with a genesis, the chain ids are its. */
  readonly given?: GivenFiles;
  /** Denominations beside the base one. */
  readonly denominations?: readonly GenesisMetadataJson[];
  /** Contracts of the genesis. */
  readonly contracts?: Parameters<typeof createGenesisState>[0]['contracts'];
  /** Values of app.toml by setting name. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Values of config.toml by setting name. */
  readonly cometSettings?: Readonly<Record<string, unknown>>;
}

export interface InitialisedHome {
  readonly home: string;
  readonly chainId: string;
  readonly evmChainId: bigint;
  readonly nodeId: string;
  /** Files that were there and stayed. */
  readonly kept: readonly string[];
}

const CHAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

/**
 * Makes a home. Throws CONFIG_HOME_OCCUPIED, CONFIG_HOME_UNWRITABLE, CONFIG_CHAIN_ID and CONFIG_GIVEN_FILE; nothing is
 * written then.
 */
export async function initialiseHome(options: HomeOptions): Promise<InitialisedHome> {
  const { home, overwrite, given = {} } = options;
  const others = given.genesis === undefined ? undefined : await readGivenGenesis(given.genesis);
  const { chainId, evmChainId } = others ?? { chainId: options.chainId, evmChainId: evmChainIdOf(options) };
  await refuseOccupiedHome(home, overwrite);
  await makeHomeDirectories(home);
  await placeGivenKeys(home, given);
  const kept: string[] = [];
  const keep = async (file: string): Promise<boolean> => {
    const there = await pathExists(join(home, file));
    if (there) kept.push(file);
    return there;
  };
  const nodeKeyFile = join(home, CONFIG_FILES.nodeKey);
  const { id: nodeId } = (await keep(CONFIG_FILES.nodeKey))
    ? await readNodeKey(nodeKeyFile)
    : await createNodeKey(nodeKeyFile);
  const validatorFile = join(home, CONFIG_FILES.validatorKey);
  const validator = (await keep(CONFIG_FILES.validatorKey))
    ? await readValidatorKey(validatorFile)
    : await createValidatorKey(validatorFile);
  if (!(await keep(CONFIG_FILES.validatorState)))
    await createSignState(join(home, CONFIG_FILES.validatorState));
  if (overwrite || !(await keep(CONFIG_FILES.appToml))) {
    const text = appToml(options.mode, { 'node.engine': options.engine, ...options.settings });
    await writeFileDurably(join(home, CONFIG_FILES.appToml), text, 0o644);
  }
  const comet = configToml({
    moniker: options.moniker,
    'p2p.seed_mode': options.mode === 'seed',
    ...options.cometSettings,
  });
  await writeFileDurably(join(home, CONFIG_FILES.configToml), comet, 0o644);
  // Last: a home with a genesis is a whole one.
  const genesis = others?.text ?? genesisOf(options, evmChainId, validator);
  await writeFileDurably(join(home, CONFIG_FILES.genesis), genesis, 0o644);
  return { home, chainId, evmChainId, nodeId, kept };
}

/** Of the first validator, a million units each. */
const POWER = 10n;

function genesisOf(options: HomeOptions, evmChainId: bigint, validator: ValidatorKey): string {
  return formatGenesisDoc({
    time: blockTimeFromMillis(systemClock.now()),
    chainId: options.chainId,
    initialHeight: 1,
    consensusParams: DEFAULT_CONSENSUS_PARAMS,
    validators: [{ publicKey: validator.publicKey, power: POWER, name: options.moniker }],
    appHash: new Uint8Array(0),
    appState: createGenesisState({
      evmChainId,
      accounts: options.accounts ?? [],
      ...(options.denominations && { denominations: options.denominations }),
      ...(options.contracts && { contracts: options.contracts }),
      validator: {
        // Without an account that could sign for it the validator belongs to its own key.
        operator: options.accounts?.[0]?.chainAddress ?? validator.address,
        consensusKey: validator.publicKey,
        moniker: options.moniker,
        units: POWER * 1_000_000n,
      },
    }),
  });
}

function evmChainIdOf({ chainId, evmChainId }: HomeOptions): bigint {
  const invalid = (message: string) =>
    new CodedError('CONFIG_CHAIN_ID', message, { fields: { chainId, evmChainId } });
  if (!CHAIN_ID.test(chainId)) {
    throw invalid(`chain id "${chainId}" is malformed; use 1 to 50 letters, digits, ".", "_" or "-"`);
  }
  const chosen = evmChainId ?? (chainId === DEFAULT_CHAIN_ID ? DEFAULT_EVM_CHAIN_ID : undefined);
  if (chosen === undefined) {
    throw invalid(`chain id "${chainId}" needs an EVM chain id of its own; add --evm-chain-id <number>`);
  }
  if (chosen < 1n || chosen >= 1n << 63n) {
    throw invalid(`EVM chain id ${chosen} is out of range; use a number from 1 to 2^63 − 1`);
  }
  return chosen;
}
