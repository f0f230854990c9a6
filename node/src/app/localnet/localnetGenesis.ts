import { systemClock } from '@chain/platform';
import { messages, signTransaction, unsignedBytes } from '../../client/index.ts';
import { blockTimeFromMillis, DEFAULT_CONSENSUS_PARAMS, formatGenesisDoc } from '../../comet/index.ts';
import { createGenesisState, DEVELOPMENT_BALANCE_WEI } from '../../execution/index.ts';
import type { HdAccount } from '../../keys/index.ts';
import { BASE_DENOMINATION } from '../../ledger/index.ts';
import { BECH32_PREFIX, DECIMAL_ONE, toBech32 } from '../../primitives/index.ts';

/** A validator to be: who runs it, and the key that signs blocks. */
export interface LocalnetValidator {
  readonly moniker: string;
  readonly operator: HdAccount;
  /** Ed25519, 32 bytes. */
  readonly consensusKey: Uint8Array;
}

export interface LocalnetGenesis {
  readonly chainId: string;
  readonly evmChainId: bigint;
  readonly accounts: readonly HdAccount[];
  readonly validators: readonly LocalnetValidator[];
}

/** Own stake of each: a power of ten. */
const STAKE = { denom: BASE_DENOMINATION, amount: '10000000' };
const GAS = 1_000_000n;
const percent = (count: bigint): string => ((DECIMAL_ONE * count) / 100n).toString();

/** The genesis of a network whose validators each sign a transaction in it that makes them one. */
export function localnetGenesis({ chainId, evmChainId, accounts, validators }: LocalnetGenesis): string {
  const funded = [...accounts, ...validators.map(({ operator }) => operator)];
  return formatGenesisDoc({
    time: blockTimeFromMillis(systemClock.now()),
    chainId,
    initialHeight: 1,
    consensusParams: DEFAULT_CONSENSUS_PARAMS,
    // They follow from the transactions.
    validators: [],
    appHash: new Uint8Array(0),
    appState: {
      ...createGenesisState({
        evmChainId,
        accounts: funded.map((account) => ({ ...account, balanceWei: DEVELOPMENT_BALANCE_WEI })),
      }),
      genutil: { gen_txs: validators.map((validator) => genesisTransaction(validator, chainId)) },
    },
  });
}

/** Base64 of the signed `TxRaw`. Account numbers of genesis are 0. */
function genesisTransaction({ moniker, operator, consensusKey }: LocalnetValidator, chainId: string): string {
  const message = messages.createValidator(
    {
      description: { moniker, identity: '', website: '', securityContact: '', details: '' },
      commission: { rate: percent(10n), maxRate: percent(20n), maxChangeRate: percent(1n) },
      minSelfDelegation: '1',
      validatorAddress: toBech32(operator.chainAddress, BECH32_PREFIX.validator),
      consensusKey,
      value: STAKE,
    },
    toBech32(operator.chainAddress),
  );
  const unsigned = unsignedBytes({ messages: [message], memo: '', timeoutHeight: 0n, gas: GAS, fee: [] });
  const { privateKey, publicKey } = operator;
  const signing = { privateKey, publicKey, chainId, accountNumber: 0n, sequence: 0n };
  return Buffer.from(signTransaction(unsigned, signing)).toString('base64');
}
