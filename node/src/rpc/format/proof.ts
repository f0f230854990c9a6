import type { Proven } from '../../state/commit/index.ts';

/** The steps of a proof as CometBFT writes them in JSON: bytes in base64. */
export function formatProof({ ops }: Proven): Record<string, unknown> {
  return { ops: ops.map(({ type, key, data }) => ({ type, key: base64(key), data: base64(data) })) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
