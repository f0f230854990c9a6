import { chmod, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, messageOf, pathExists } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { parseGenesisDoc } from '../../comet/index.ts';
import { parseGenesis } from '../../execution/index.ts';
import { readNodeKey, readValidatorKey } from '../../keys/index.ts';

/** Paths of files that a home begins with instead of new ones, as a Secret or a ConfigMap is mounted. */
export interface GivenFiles {
  readonly genesis?: string;
  readonly nodeKey?: string;
  readonly validatorKey?: string;
}

/** A genesis that others made. */
export interface GivenGenesis {
  readonly text: string;
  readonly chainId: string;
  readonly evmChainId: bigint;
}

/** Reads it and checks all of it. Throws CONFIG_GIVEN_FILE. */
export async function readGivenGenesis(path: string): Promise<GivenGenesis> {
  try {
    const text = await readFile(path, 'utf8');
    const doc = parseGenesisDoc(text);
    const state = parseGenesis(doc.appState, { chainId: doc.chainId, time: doc.time });
    return { text, chainId: doc.chainId, evmChainId: state.evmChainId };
  } catch (cause) {
    throw new CodedError(
      'CONFIG_GIVEN_FILE',
      `${path} cannot be taken as genesis: ${messageOf(cause)}; give the file that the chain began with`,
      { fields: { path }, cause },
    );
  }
}

/** Copies given keys to where the home has none; both are read first, so that a wrong one is not taken. */
export async function placeGivenKeys(home: string, { nodeKey, validatorKey }: GivenFiles): Promise<void> {
  if (nodeKey !== undefined) {
    await readNodeKey(nodeKey);
    await place(nodeKey, join(home, CONFIG_FILES.nodeKey));
  }
  if (validatorKey !== undefined) {
    await readValidatorKey(validatorKey);
    await place(validatorKey, join(home, CONFIG_FILES.validatorKey));
  }
}

async function place(source: string, target: string): Promise<void> {
  if (await pathExists(target)) return;
  await copyFile(source, target);
  await chmod(target, 0o600);
}
