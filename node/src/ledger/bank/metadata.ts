import { Metadata } from 'cosmjs-types/cosmos/bank/v1beta1/bank';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay, PointReads } from '../../state/view/index.ts';
import { metadataKey } from '../bankRows.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { readRow, writeRow } from '../protoRow.ts';
import type { RowRange } from '../rowRange.ts';

/** What a denomination is called and how its units relate, in the SDK's form. */
export type DenominationMetadata = Metadata;

/** The base denomination (spec L-1, Identity), which genesis may describe otherwise. */
export const BASE_METADATA: DenominationMetadata = {
  description: 'The base coin: pays fees, is staked, and is the EVM account balance (1 usei = 10^12 wei).',
  denomUnits: [
    { denom: BASE_DENOMINATION, exponent: 0, aliases: [] },
    { denom: 'sei', exponent: 6, aliases: [] },
  ],
  base: BASE_DENOMINATION,
  display: 'sei',
  name: 'Sei',
  symbol: 'SEI',
  uri: '',
  uriHash: '',
};

export function readMetadata(state: PointReads, denomination: string): DenominationMetadata | undefined {
  const row = readRow(state, { store: STORE.bank, key: metadataKey(denomination) }, Metadata);
  return row ?? (denomination === BASE_DENOMINATION ? BASE_METADATA : undefined);
}

export function writeMetadata(overlay: Overlay, metadata: DenominationMetadata): void {
  writeRow(overlay, { store: STORE.bank, key: metadataKey(metadata.base) }, Metadata, metadata);
}

/** All that genesis described, by denomination. */
export function metadataRows(): RowRange<DenominationMetadata> {
  const decode = (_key: Uint8Array, value: Uint8Array) => Metadata.decode(value);
  return { store: STORE.bank, prefix: metadataKey(''), decode };
}
