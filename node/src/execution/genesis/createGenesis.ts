import type { GenesisValidator } from '../../ledger/index.ts';
import { formatDecimal, toBech32, toHexData } from '../../primitives/index.ts';
import { DEFAULT_FEE_PARAMETERS, type FeeParameters } from '../feeMarket/feeParameters.ts';
import type { GenesisJson, GenesisMetadataJson } from './genesisState.ts';
import { PARAMETER_NAMES } from './parseGenesis.ts';

/** What every development account starts with: 10,000 tokens. */
export const DEVELOPMENT_BALANCE_WEI = 10_000n * 10n ** 18n;

/** A second denomination of development chains, for token pointers to show. */
export const DEVELOPMENT_DENOMINATION: GenesisMetadataJson = {
  description: 'A token of development chains, without any value.',
  denom_units: [
    { denom: 'utest', exponent: 0 },
    { denom: 'test', exponent: 6 },
  ],
  base: 'utest',
  display: 'test',
  name: 'Test Token',
  symbol: 'TEST',
};

/** What every development account has of it: a million. */
export const DEVELOPMENT_COIN = { denom: DEVELOPMENT_DENOMINATION.base, amount: '1000000000000' } as const;

/** An account that genesis funds and associates. Addresses 20 bytes, the key compressed (33 bytes). */
export interface FundedAccount {
  readonly evmAddress: Uint8Array;
  readonly chainAddress: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly balanceWei: bigint;
  /** Denominations beside the base one, in whole units. */
  readonly coins?: readonly { readonly denom: string; readonly amount: string }[];
}

/** Makes `app_state` of a new chain's genesis.json; `parseGenesis` reads it back. */
export function createGenesisState(options: {
  readonly evmChainId: bigint;
  readonly accounts: readonly FundedAccount[];
  /** Denominations beside the base one. */
  readonly denominations?: readonly GenesisMetadataJson[];
  /** Contracts that are there from the first block on. */
  readonly contracts?: NonNullable<GenesisJson['evm']['accounts']>;
  readonly feeParameters?: Partial<FeeParameters>;
  /** Whoever makes the first blocks, with what it has staked on top of the accounts. */
  readonly validator?: GenesisValidator;
  /** How long stake takes to become free; 21 days. */
  readonly unbondingSeconds?: bigint;
}): GenesisJson {
  const parameters = { ...DEFAULT_FEE_PARAMETERS, ...options.feeParameters };
  const names = Object.keys(PARAMETER_NAMES) as (keyof FeeParameters)[];
  const params = names.map((name) => [
    PARAMETER_NAMES[name],
    name === 'targetGasUsedPerBlock' ? parameters[name].toString() : formatDecimal(parameters[name]),
  ]);
  const funded = options.accounts.filter(({ balanceWei, coins }) => balanceWei > 0n || coins);
  return {
    evm: {
      chain_id: options.evmChainId.toString(),
      params: Object.fromEntries(params),
      accounts: options.contracts ?? [],
    },
    bank: {
      balances: funded.map((account) => ({
        address: toBech32(account.chainAddress),
        wei: account.balanceWei.toString(),
        ...(account.coins && { coins: account.coins }),
      })),
      ...(options.denominations && { denom_metadata: options.denominations }),
    },
    ...(options.validator && { staking: stakingOf(options.validator, options.unbondingSeconds) }),
    auth: {
      associations: options.accounts.map((account) => ({
        evm_address: toHexData(account.evmAddress),
        chain_address: toBech32(account.chainAddress),
        public_key: toHexData(account.publicKey),
      })),
    },
  };
}

function stakingOf(
  { operator, consensusKey, moniker, units }: GenesisValidator,
  unbondingSeconds: bigint | undefined,
): NonNullable<GenesisJson['staking']> {
  return {
    ...(unbondingSeconds !== undefined && { unbonding_seconds: unbondingSeconds.toString() }),
    validators: [
      {
        operator: toBech32(operator),
        consensus_key: toHexData(consensusKey),
        moniker,
        units: units.toString(),
      },
    ],
  };
}
