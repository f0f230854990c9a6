import { CodedError } from '@chain/platform';
import { equalBytes } from '../primitives/index.ts';
import { readValidatorKey } from './validatorKey.ts';
import { readSignState, rewindSignState, type SignState, writeSignState } from './validatorState.ts';

/** Where in consensus a message stands. `step`: 1 proposal, 2 prevote, 3 precommit. */
export interface SignPosition {
  readonly height: number;
  readonly round: number;
  readonly step: 1 | 2 | 3;
}

export interface ValidatorSigner {
  readonly address: Uint8Array;
  readonly publicKey: Uint8Array;
  /** The newest height anything was signed for. */
  readonly lastHeight: number;
  /**
   * Signs at most one message for each position and never goes back. The position is durable before the
   * signature is handed out; the same bytes again give the same signature. Throws KEYS_DOUBLE_SIGN.
   */
  sign(position: SignPosition, signBytes: Uint8Array): Promise<Uint8Array>;
  /** See `rewindSignState`. */
  rewind(height: number): Promise<void>;
}

export async function openValidatorSigner(options: {
  readonly keyFile: string;
  readonly stateFile: string;
}): Promise<ValidatorSigner> {
  const key = await readValidatorKey(options.keyFile);
  let last = await readSignState(options.stateFile);
  return {
    address: key.address,
    publicKey: key.publicKey,
    get lastHeight() {
      return last.height;
    },
    sign: async (position, signBytes) => {
      const order = compare(position, last);
      if (order < 0) throw doubleSign(position, last);
      if (order === 0) {
        if (last.signature && last.signBytes && equalBytes(last.signBytes, signBytes)) return last.signature;
        throw doubleSign(position, last);
      }
      const next: SignState = { ...position, signBytes, signature: key.sign(signBytes) };
      // Moved before the write: should it fail half-way, this process does not sign the position again.
      last = next;
      await writeSignState(options.stateFile, next);
      return next.signature!;
    },
    rewind: async (height) => {
      await rewindSignState(options.stateFile, height);
      last = await readSignState(options.stateFile);
    },
  };
}

function compare(a: Omit<SignState, 'signature' | 'signBytes'>, b: SignState): number {
  return a.height - b.height || a.round - b.round || a.step - b.step;
}

function doubleSign(position: SignPosition, last: SignState): CodedError<'KEYS_DOUBLE_SIGN'> {
  const show = ({ height, round, step }: SignState): string => `${height}/${round}/${step}`;
  return new CodedError(
    'KEYS_DOUBLE_SIGN',
    `refused to sign at height/round/step ${show(position)}: this key already signed at ${show(last)}`,
    { fields: { ...position, lastHeight: last.height, lastRound: last.round, lastStep: last.step } },
  );
}
