import { readFile } from 'node:fs/promises';
import { CodedError } from '@chain/platform';
import { type GenesisDoc, genesisHash, parseGenesisDoc } from '../comet/index.ts';
import { type GenesisState, parseGenesis } from '../execution/index.ts';

/** What a node takes from its genesis file. */
export interface Genesis {
  readonly doc: GenesisDoc;
  readonly state: GenesisState;
  /** SHA-256 of the file: the hash of block 0. */
  readonly hash: Uint8Array;
  /** Gas of one block; 10 million where the consensus parameters set no limit (json-rpc.md §7.3). */
  readonly gasLimit: bigint;
}

const GAS_LIMIT_WHEN_UNLIMITED = 10_000_000n;

export async function readGenesis(path: string): Promise<Genesis> {
  const file = await readFile(path).catch((cause: unknown) => {
    throw new CodedError(
      'APP_NO_GENESIS',
      `cannot read ${path}; run "chaind init" or restore the file: ${String(cause)}`,
      { fields: { path }, cause },
    );
  });
  const doc = parseGenesisDoc(file.toString('utf8'));
  const { maxGas } = doc.consensusParams.block;
  return {
    doc,
    state: parseGenesis(doc.appState),
    hash: genesisHash(file),
    gasLimit: maxGas > 0n ? maxGas : GAS_LIMIT_WHEN_UNLIMITED,
  };
}
