import { join } from 'node:path';
import { CACHE_DIR } from '@chain/platform/contract';

/** Translations of EVM code, outside of `data`: a state sync leaves them, a migration wipes them. */
export function evmCacheOf(home: string): string {
  return join(home, CACHE_DIR, 'evm');
}
