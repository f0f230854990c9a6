import { join } from 'node:path';
import { CONFIG_FILES, type NodeReport } from '@chain/platform/contract';
import type { NodeConfig } from '../config/index.ts';
import { readSignState, readValidatorKey } from '../keys/index.ts';
import { bytesToHex } from '../primitives/index.ts';

/** What the home's validator key has signed last; nothing of a node that signs nothing, or not by itself. */
export async function ofSigner({
  home,
  app,
}: Pick<NodeConfig, 'home' | 'app'>): Promise<Pick<NodeReport, 'signer'>> {
  if (app.node.mode !== 'validator') return {};
  try {
    const { address } = await readValidatorKey(join(home, CONFIG_FILES.validatorKey));
    const { height, round, step } = await readSignState(join(home, CONFIG_FILES.validatorState));
    return { signer: { address: bytesToHex(address), height, round, step } };
  } catch {
    // The node itself says what is wrong with these files.
    return {};
  }
}
