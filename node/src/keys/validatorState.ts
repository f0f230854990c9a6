import { writeFileDurably } from '@chain/platform';
import { bytesToHex, hexToBytes } from '../primitives/index.ts';
import { keyFileError, readKeyFile } from './keyFile.ts';

/** What was signed last. `step`: 0 nothing yet, 1 proposal, 2 prevote, 3 precommit. */
export interface SignState {
  readonly height: number;
  readonly round: number;
  readonly step: number;
  readonly signature?: Uint8Array;
  readonly signBytes?: Uint8Array;
}

/** Nothing more is signed at the height that is gone back to: its block stays. */
const LAST_ROUND = 0x7fffffff;
const PRECOMMIT = 3;

const NOTHING_SIGNED: SignState = { height: 0, round: 0, step: 0 };

/** Makes `priv_validator_state.json` of a key that has signed nothing. Never call it over an existing file. */
export async function createSignState(path: string): Promise<void> {
  await writeSignState(path, NOTHING_SIGNED);
}

/**
 * Lets a key sign heights again that it has signed before. Only for a chain that is set back and whose taken back
 * blocks nobody else has: otherwise two blocks of one height carry this key's signature. Can be done again.
 */
export async function rewindSignState(path: string, height: number): Promise<void> {
  const last = await readSignState(path);
  if (last.height > height) await writeSignState(path, { height, round: LAST_ROUND, step: PRECOMMIT });
}

/** The key signs nothing up to and at this height, whatever the file said, or where there was none. */
export async function raiseSignState(path: string, height: number): Promise<void> {
  await writeSignState(path, { height, round: LAST_ROUND, step: PRECOMMIT });
}

/** CometBFT's form: height as a string, signature base64, sign bytes upper-case hex. */
export async function writeSignState(path: string, state: SignState): Promise<void> {
  const json = {
    height: String(state.height),
    round: state.round,
    step: state.step,
    ...(state.signature && { signature: Buffer.from(state.signature).toString('base64') }),
    ...(state.signBytes && { signbytes: bytesToHex(state.signBytes).toUpperCase() }),
  };
  await writeFileDurably(path, `${JSON.stringify(json, null, 2)}\n`);
}

/** Throws KEYS_FILE_INVALID: a guess here could sign twice. */
export async function readSignState(path: string): Promise<SignState> {
  const json = await readKeyFile(path);
  const height = typeof json.height === 'string' ? Number(json.height) : Number.NaN;
  const { round = 0, step = 0, signature, signbytes } = json;
  const counts = [height, round, step];
  if (!counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0)) {
    throw keyFileError(path, 'height, round or step is no count; restore it from your backup');
  }
  return {
    height,
    round: Number(round),
    step: Number(step),
    ...(typeof signature === 'string' && { signature: Buffer.from(signature, 'base64') }),
    ...(typeof signbytes === 'string' && { signBytes: hexToBytes(signbytes) }),
  };
}
