import {
  chainAddressOf,
  DECIMAL_ONE,
  equalBytes,
  evmAddressOf,
  padLeft,
  uncompressPublicKey,
} from '../../primitives/index.ts';
import { DEFAULT_FEE_PARAMETERS, type FeeParameters } from '../feeMarket/feeParameters.ts';
import {
  arrayAt,
  bytesAt,
  chainAddressAt,
  decimalAt,
  genesisError,
  integerAt,
  objectAt,
} from './genesisFields.ts';
import type { GenesisAssociation, GenesisContract, GenesisOrigin, GenesisState } from './genesisState.ts';
import { parseBalance, parseMetadata } from './parseBank.ts';
import { parseForks } from './parseForks.ts';
import { parseStaking } from './parseStaking.ts';

const NO_ORIGIN: GenesisOrigin = { chainId: '', time: { seconds: 0n, nanos: 0 } };

/** Names of the fee parameters in genesis.json, in the order they are written. */
export const PARAMETER_NAMES: Readonly<Record<keyof FeeParameters, string>> = {
  minimumFeePerGas: 'minimum_fee_per_gas',
  maximumFeePerGas: 'maximum_fee_per_gas',
  maxUpwardAdjustment: 'max_dynamic_base_fee_upward_adjustment',
  maxDownwardAdjustment: 'max_dynamic_base_fee_downward_adjustment',
  targetGasUsedPerBlock: 'target_gas_used_per_block',
};

/**
 * Parses `app_state` of genesis.json. Throws EXECUTION_GENESIS_INVALID naming the place and what it must be. Genesis
 * transactions are checked against `origin`.
 */
export function parseGenesis(appState: unknown, origin: GenesisOrigin = NO_ORIGIN): GenesisState {
  const root = objectAt(appState, 'app_state');
  const evm = objectAt(root.evm, 'app_state.evm', ['chain_id', 'params', 'forks', 'accounts']);
  const bank = objectAt(root.bank, 'app_state.bank', ['balances', 'denom_metadata']);
  const auth = objectAt(root.auth, 'app_state.auth', ['associations']);
  return {
    evmChainId: parseChainId(evm.chain_id),
    feeParameters: parseFeeParameters(evm.params),
    forks: parseForks(evm.forks),
    contracts: arrayAt(evm.accounts, 'app_state.evm.accounts').map(parseContract),
    balances: arrayAt(bank.balances, 'app_state.bank.balances').map(parseBalance),
    denominations: parseMetadata(bank.denom_metadata),
    staking: parseStaking(root),
    origin,
    associations: arrayAt(auth.associations, 'app_state.auth.associations').map(parseAssociation),
  };
}

function parseChainId(value: unknown): bigint {
  const chainId = integerAt(value, 'app_state.evm.chain_id');
  if (chainId === 0n || chainId >= 1n << 63n) {
    throw genesisError('app_state.evm.chain_id', value, 'between 1 and 2^63 − 1');
  }
  return chainId;
}

function parseFeeParameters(value: unknown): FeeParameters {
  const path = 'app_state.evm.params';
  const given = objectAt(value, path, Object.values(PARAMETER_NAMES));
  const parameters = { ...DEFAULT_FEE_PARAMETERS };
  for (const name of Object.keys(PARAMETER_NAMES) as (keyof FeeParameters)[]) {
    const key = PARAMETER_NAMES[name];
    if (given[key] === undefined) continue;
    const read = name === 'targetGasUsedPerBlock' ? integerAt : decimalAt;
    parameters[name] = read(given[key], `${path}.${key}`);
  }
  if (parameters.minimumFeePerGas > parameters.maximumFeePerGas) {
    throw genesisError(
      `${path}.minimum_fee_per_gas`,
      given.minimum_fee_per_gas,
      'at most maximum_fee_per_gas',
    );
  }
  if (parameters.maxDownwardAdjustment > DECIMAL_ONE) {
    const key = PARAMETER_NAMES.maxDownwardAdjustment;
    throw genesisError(`${path}.${key}`, given[key], 'at most 1');
  }
  return parameters;
}

function parseContract(value: unknown, i: number): GenesisContract {
  const path = `app_state.evm.accounts[${i}]`;
  const fields = objectAt(value, path, ['address', 'nonce', 'code', 'storage']);
  const code = fields.code === undefined ? new Uint8Array(0) : bytesAt(fields.code, `${path}.code`);
  const storage = Object.entries(objectAt(fields.storage, `${path}.storage`));
  return {
    address: bytesAt(fields.address, `${path}.address`, 20),
    // A contract starts at nonce 1 (EIP-161).
    nonce:
      fields.nonce === undefined ? (code.length > 0 ? 1n : 0n) : integerAt(fields.nonce, `${path}.nonce`),
    code,
    storage: storage.map(([slot, word]) => ({
      slot: wordAt(slot, `${path}.storage`),
      value: wordAt(word, `${path}.storage[${slot}]`),
    })),
  };
}

function wordAt(value: unknown, path: string): Uint8Array {
  const bytes = bytesAt(value, path);
  if (bytes.length > 32) throw genesisError(path, value, 'at most 32 bytes');
  return padLeft(bytes, 32);
}

function parseAssociation(value: unknown, i: number): GenesisAssociation {
  const path = `app_state.auth.associations[${i}]`;
  const fields = objectAt(value, path, ['evm_address', 'chain_address', 'public_key']);
  const evmAddress = bytesAt(fields.evm_address, `${path}.evm_address`, 20);
  const chainAddress = chainAddressAt(fields.chain_address, `${path}.chain_address`);
  if (fields.public_key === undefined) return { evmAddress, chainAddress };
  const publicKey = bytesAt(fields.public_key, `${path}.public_key`, 33);
  if (!equalBytes(chainAddressOf(publicKey), chainAddress) || !isKeyOf(publicKey, evmAddress)) {
    throw genesisError(`${path}.public_key`, fields.public_key, 'the key of both addresses, compressed');
  }
  return { evmAddress, chainAddress, publicKey };
}

function isKeyOf(publicKey: Uint8Array, evmAddress: Uint8Array): boolean {
  try {
    return equalBytes(evmAddressOf(uncompressPublicKey(publicKey)), evmAddress);
  } catch {
    return false;
  }
}
