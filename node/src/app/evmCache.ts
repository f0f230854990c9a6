import { join } from 'node:path';

/** Translations of EVM code, outside of all that a reset or a state sync wipes; it may be deleted at any time. */
export function evmCacheOf(home: string): string {
  return join(home, 'cache/evm');
}
