import {
  chainAddressOf,
  compressPublicKey,
  evmAddressOf,
  recoverPublicKey,
  verifyDigest,
} from '../primitives/index.ts';

/** Who made a signature, under all names: a compressed key (33 bytes) and addresses (20 bytes). */
export interface RecoveredSigner {
  readonly publicKey: Uint8Array;
  readonly evmAddress: Uint8Array;
  readonly chainAddress: Uint8Array;
}

interface Signed {
  /** 32 bytes. */
  readonly digest: Uint8Array;
  /** r ‖ s, 64 bytes. */
  readonly signature: Uint8Array;
}

export interface RecoverQuestion extends Signed {
  readonly parity: 0 | 1;
  /** `undefined`: nobody can have made it. */
  answered(signer: RecoveredSigner | undefined): void;
}

export interface VerifyQuestion extends Signed {
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  answered(isGood: boolean): void;
}

/** What is asked of a signature. */
export type SignatureQuestion = RecoverQuestion | VerifyQuestion;

export function isVerification(question: SignatureQuestion): question is VerifyQuestion {
  return 'publicKey' in question;
}

export function recoverSigner({
  digest,
  signature,
  parity,
}: Omit<RecoverQuestion, 'answered'>): RecoveredSigner | undefined {
  const key = recoverPublicKey(digest, { signature, recoveryId: parity });
  if (!key) return undefined;
  const publicKey = compressPublicKey(key);
  return { publicKey, evmAddress: evmAddressOf(key), chainAddress: chainAddressOf(publicKey) };
}

/** Answers it on this thread. */
export function answerHere(question: SignatureQuestion): void {
  if (isVerification(question)) {
    const { digest, publicKey, signature } = question;
    question.answered(verifyDigest(digest, publicKey, signature));
  } else question.answered(recoverSigner(question));
}
