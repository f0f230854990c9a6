import { evmAddressOf, padLeft, recoverPublicKey } from '../../primitives/index.ts';
import { bytesAt } from './input.ts';
import { NO_BYTES, type StandardPrecompile } from './standardPrecompile.ts';

const EVEN = 27;
const ODD = 28;

/** 0x01: digest ‖ v ‖ r ‖ s to the signer's address. No bytes for a signature that nobody can have made. */
export const ecrecover: StandardPrecompile = {
  gas: () => 3_000,
  run: (input) => {
    const data = bytesAt(input, 0, 128);
    for (let i = 32; i < 63; i++) if (data[i] !== 0) return NO_BYTES;
    const v = data[63]!;
    if (v !== EVEN && v !== ODD) return NO_BYTES;
    const recoveryId = v === EVEN ? 0 : 1;
    const key = recoverPublicKey(data.subarray(0, 32), { signature: data.subarray(64, 128), recoveryId });
    return key ? padLeft(evmAddressOf(key), 32) : NO_BYTES;
  },
};
