import type { Params } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing';
import { multiplyDecimal } from '../../primitives/index.ts';

/** A decimal of the parameters, scaled by 10^18: the SDK keeps them as bytes of text. */
export const fractionOf = (bytes: Uint8Array): bigint => BigInt(Buffer.from(bytes).toString('latin1') || '0');

/** Blocks of a window that a validator may miss. */
export function mayMiss({ signedBlocksWindow, minSignedPerWindow }: Params): bigint {
  // Half to even, as the SDK rounds.
  return signedBlocksWindow - multiplyDecimal(fractionOf(minSignedPerWindow), signedBlocksWindow);
}
