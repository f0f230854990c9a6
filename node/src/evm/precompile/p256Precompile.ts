import { hexToBytes, padLeft } from '../../primitives/index.ts';
import { isSignedOnP256 } from '../standard/nativePrecompiles.ts';
import { fixedPrecompile } from './fixedPrecompile.ts';
import { refused } from './precompileError.ts';
import { NO_RETURN_DATA, precompileMethod } from './precompileMethod.ts';

const WORD = 32;
const PARTS = 5;
const GAS_PER_BYTE = 300n;
const YES = padLeft(Uint8Array.of(1), WORD);

export const P256_METHODS = [
  precompileMethod<[Uint8Array]>('verify(bytes signature) view returns (bytes response)', ([signature]) => {
    if (signature.length !== PARTS * WORD) {
      throw refused(`the signature has ${signature.length} bytes, not ${PARTS * WORD} (hash, r, s, x, y)`);
    }
    return isSignedOnP256(signature) ? [YES] : NO_RETURN_DATA;
  }),
];

/** The precompile 0x…1011 (spec L-10, docs/abi/p256.json): signatures of secp256r1, by RIP-7212. */
export const p256Precompile = fixedPrecompile({
  address: hexToBytes('0000000000000000000000000000000000001011'),
  name: 'p256',
  refusesDelegation: true,
  methods: P256_METHODS,
  gas: (bodyBytes) => GAS_PER_BYTE * BigInt(bodyBytes),
});
