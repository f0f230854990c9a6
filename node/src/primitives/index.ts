/**
 * Values and pure functions: bytes, hex, integers, hashes, addresses, signatures, Merkle roots, blooms.
 * Owns: their encodings. Does not own: any I/O but reading its own WebAssembly, any state, any knowledge of blocks.
 * Invariant: no function here keeps or changes state outside its arguments.
 */
export {
  BECH32_PREFIX,
  chainAddressOf,
  evmAddressOf,
  fromBech32,
  toBech32,
  toChecksumAddress,
} from './address.ts';
export { appendAll } from './appendAll.ts';
export { addToBloom, BLOOM_BYTES } from './bloom.ts';
export {
  bytesOfMapKey,
  compareBytes,
  concatAll,
  concatBytes,
  equalBytes,
  isZero,
  mapKeyOf,
  padLeft,
  prefixEnd,
  utf8,
} from './bytes.ts';
export {
  DECIMAL_ONE,
  divideDecimal,
  divideDecimalDown,
  formatDecimal,
  multiplyDecimal,
  multiplyDecimalDown,
  parseDecimal,
} from './decimal.ts';
export { ripemd160, sha256 } from './hashing.ts';
export { bytesToHex, hexToBytes, toHexData, toHexQuantity } from './hex.ts';
export {
  bigintToBytes,
  bigintToFixedBytes,
  bytesToBigint,
  bytesToUint64,
  uint64ToBytes,
} from './integers.ts';
export { keccak256 } from './keccak.ts';
export { type MerkleStep, merkleLeafHash, merklePath, merkleRoot } from './merkle.ts';
export { multisigAddressOf } from './multisigAddress.ts';
export { loadOrFallBack, type MissingLibrary } from './nativeLibrary.ts';
export { decodeRlp, encodeRlp, type RlpItem } from './rlp.ts';
export {
  compressPublicKey,
  missingSecp256k1,
  publicKeyOf,
  type RecoverableSignature,
  recoverPublicKey,
  signDigest,
  uncompressPublicKey,
  verifyDigest,
} from './secp256k1/secp256k1.ts';
export { putUvarint, readUvarint, uvarintLength, writeUvarint } from './varint.ts';
export { leb, signedLeb, wasmModule } from './wasmModule.ts';
export { Instance, Memory, Module, RuntimeError, type WebAssemblyMemory } from './webAssembly.ts';
