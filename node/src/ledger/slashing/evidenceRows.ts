import { Equivocation } from 'cosmjs-types/cosmos/evidence/v1beta1/evidence';
import { BECH32_PREFIX, concatBytes, sha256, toBech32 } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay, PointReads } from '../../state/view/index.ts';
import type { Misbehavior } from '../../types/index.ts';
import { readRow, writeRow } from '../protoRow.ts';
import type { RowRange } from '../rowRange.ts';

/** Ours, beside the rows of x/slashing, for a store of x/evidence would be an upgrade: 0xa0 ‖ hash → Equivocation. */
const PREFIX = Uint8Array.of(0xa0);
const placeOf = (hash: Uint8Array) => ({ store: STORE.slashing, key: concatBytes(PREFIX, hash) });

/** Notes an offence that was punished, under the SHA-256 of the Cosmos SDK's form of it. */
export function recordEvidence(overlay: Overlay, { address, power, height, time }: Misbehavior): void {
  const consensusAddress = toBech32(address, BECH32_PREFIX.consensus);
  const equivocation = { height: BigInt(height), time, power, consensusAddress };
  const hash = sha256(Equivocation.encode(equivocation).finish());
  writeRow(overlay, placeOf(hash), Equivocation, equivocation);
}

/** `hash`: 32 bytes. */
export function readEvidence(state: PointReads, hash: Uint8Array): Equivocation | undefined {
  return readRow(state, placeOf(hash), Equivocation);
}

export function evidenceRows(): RowRange<Equivocation> {
  return { store: STORE.slashing, prefix: PREFIX, decode: (_key, value) => Equivocation.decode(value) };
}
