import { addToBloom, BLOOM_BYTES } from '../../primitives/index.ts';
import type { EvmLog } from '../../types/index.ts';

/** The Ethereum bloom over the addresses and topics of logs, 256 bytes. */
export function logsBloom(logs: readonly EvmLog[]): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const { address, topics } of logs) {
    addToBloom(bloom, address);
    for (const topic of topics) addToBloom(bloom, topic);
  }
  return bloom;
}
