import { bytesToBigint, toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { Proven } from '../../state/commit/index.ts';

/**
 * A slot's proof: its steps as CometBFT writes them in JSON, bytes in base64. `key`, `value` and the empty `proof` are
 * there for clients that read Ethereum's form.
 */
export function formatProof(slot: Uint8Array, { ops, value }: Proven): Record<string, unknown> {
  return {
    key: toHexData(slot),
    value: toHexQuantity(value ? bytesToBigint(value) : 0n),
    proof: [],
    ops: ops.map(({ type, key, data }) => ({ type, key: base64(key), data: base64(data) })),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
