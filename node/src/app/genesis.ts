import { readFile } from 'node:fs/promises';
import { CodedError, isCodedError } from '@chain/platform';
import type { ChainGenesis } from '../chain/index.ts';
import { consensusAddress, type GenesisDoc, genesisHash, parseGenesisDoc } from '../comet/index.ts';
import { type GenesisState, parseGenesis } from '../execution/index.ts';

/** What a node takes from its genesis file. */
export interface Genesis {
  readonly doc: GenesisDoc;
  readonly state: GenesisState;
  /** SHA-256 of the file: the hash of block 0. */
  readonly hash: Uint8Array;
  /** Gas of one block; 10 million where the consensus parameters set no limit (spec L-6). */
  readonly gasLimit: bigint;
}

const GAS_LIMIT_WHEN_UNLIMITED = 10_000_000n;

export async function readGenesis(path: string): Promise<Genesis> {
  const file = await readFile(path).catch((cause: unknown) => {
    throw new CodedError(
      'APP_NO_GENESIS',
      `cannot read ${path} (${(cause as NodeJS.ErrnoException).code}); run "chaind init" or restore the file`,
      { fields: { path }, cause },
    );
  });
  const { doc, state } = parse(path, file.toString('utf8'));
  const { maxGas } = doc.consensusParams.block;
  return {
    doc,
    state,
    hash: genesisHash(file),
    gasLimit: maxGas > 0n ? maxGas : GAS_LIMIT_WHEN_UNLIMITED,
  };
}

/** The same as the chain takes it. */
export const chainGenesis = ({ doc, state, gasLimit }: Genesis): ChainGenesis => ({
  initialHeight: doc.initialHeight,
  gasLimit,
  state,
  validators: doc.validators,
});

/** With the embedded engine nobody but the genesis' only validator can sign: consensus address, 20 bytes. */
export function soleValidatorOf({ doc }: Genesis, engine: 'embedded' | 'cometbft'): Uint8Array | undefined {
  const [validator] = doc.validators;
  return engine === 'embedded' && validator ? consensusAddress(validator.publicKey) : undefined;
}

/** The parsers name the member that is wrong; the file and what to do with it are added here. */
function parse(path: string, text: string): Pick<Genesis, 'doc' | 'state'> {
  try {
    const doc = parseGenesisDoc(text);
    return { doc, state: parseGenesis(doc.appState, { chainId: doc.chainId, time: doc.time }) };
  } catch (cause) {
    if (!isCodedError(cause)) throw cause;
    throw new CodedError(
      'APP_GENESIS_INVALID',
      `${path} is invalid: ${cause.message}; restore the file that the chain began with`,
      { fields: { ...cause.fields, path }, cause },
    );
  }
}
