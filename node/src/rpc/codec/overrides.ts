import { CodedError } from '@chain/platform';
import type { AccountOverride, BlockOverrides, StorageOverride } from '../../execution/index.ts';
import { ref } from '../schema/jsonSchema.ts';
import type { Codec } from './codec.ts';
import { addressAt, addressCodec, dataAt, type GoPlace, hashAt, hashCodec, quantityAt } from './hexCodecs.ts';
import { ObjectFields } from './objectFields.ts';

const quantity = (place: GoPlace) => quantityAt(256, place);
const uint64 = (place: GoPlace) => quantityAt(64, place);

/** State overrides of a simulation: a map from address to what it pretends (spec R-14). */
export const stateOverridesCodec: Codec<readonly AccountOverride[]> = {
  schema: ref('StateOverrides'),
  decode: (value) => {
    new ObjectFields(value, 'override.StateOverride');
    return Object.entries(value as Record<string, unknown>).map(accountOverride);
  },
};

function accountOverride([address, value]: [string, unknown]): AccountOverride {
  const fields = new ObjectFields(value, 'override.OverrideAccount');
  return {
    address: addressCodec.decode(address),
    balance: fields.optional('balance', quantity),
    nonce: fields.optional('nonce', uint64),
    code: fields.optional('code', dataAt),
    state: storage(fields, 'state'),
    stateDiff: storage(fields, 'stateDiff'),
    movePrecompileTo: fields.optional('movePrecompileToAddress', addressAt),
  };
}

function storage(fields: ObjectFields, name: string): StorageOverride[] | undefined {
  if (!fields.has(name)) return undefined;
  new ObjectFields(fields.raw(name), 'map[common.Hash]common.Hash');
  return Object.entries(fields.raw(name) as Record<string, unknown>).map(([slot, value]) => ({
    slot: hashCodec.decode(slot),
    value: hashCodec.decode(value),
  }));
}

/** Block overrides of a simulation; what the chain does not have is refused. */
export const blockOverridesCodec: Codec<BlockOverrides> = {
  schema: ref('BlockOverrides'),
  decode: (given) => {
    const fields = new ObjectFields(given, 'override.BlockOverrides');
    for (const name of ['beaconRoot', 'withdrawals']) {
      const value = fields.raw(name);
      if (!fields.has(name) || (Array.isArray(value) && value.length === 0)) continue;
      throw new CodedError(
        'RPC_OVERRIDE_UNSUPPORTED',
        `block override "${name}" is not supported for this RPC method`,
      );
    }
    return {
      number: fields.optional('number', quantity),
      time: fields.optional('time', uint64),
      gasLimit: fields.optional('gasLimit', uint64),
      feeRecipient: fields.optional('feeRecipient', addressAt),
      prevRandao: fields.optional('prevRandao', hashAt),
      baseFee: fields.optional('baseFeePerGas', quantity),
      blobBaseFee: fields.optional('blobBaseFee', quantity),
    };
  },
};
