import { verifyDigest } from '../primitives/index.ts';
import { isVerification, recoverSigner, type SignatureQuestion } from './question.ts';

/** Digest, r ‖ s, then the parity in one byte and zeros, or the key, whose first byte is never a parity. */
const QUESTION = { signature: 32, key: 96, bytes: 129 } as const;
/** 1 for a good answer, the key, the two addresses; zeros for a bad one. */
const ANSWER = { key: 1, evmAddress: 34, chainAddress: 54, bytes: 74 } as const;
/** A compressed key begins with 2 or 3. */
const FIRST_KEY_BYTE = 2;

/** Questions one behind the other, each of the same length. */
export function packQuestions(questions: readonly SignatureQuestion[]): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(questions.length * QUESTION.bytes);
  for (const [i, question] of questions.entries()) {
    const at = i * QUESTION.bytes;
    packed.set(question.digest, at);
    packed.set(question.signature, at + QUESTION.signature);
    if (isVerification(question)) packed.set(question.publicKey, at + QUESTION.key);
    else packed[at + QUESTION.key] = question.parity;
  }
  return packed;
}

/** The thread's part: an answer for each question, in their order. */
export function answerPacked(questions: Uint8Array): Uint8Array<ArrayBuffer> {
  const count = questions.length / QUESTION.bytes;
  const answers = new Uint8Array(count * ANSWER.bytes);
  for (let i = 0; i < count; i++) {
    const question = questions.subarray(i * QUESTION.bytes, (i + 1) * QUESTION.bytes);
    answerOne(question, answers.subarray(i * ANSWER.bytes, (i + 1) * ANSWER.bytes));
  }
  return answers;
}

function answerOne(question: Uint8Array, answer: Uint8Array): void {
  const digest = question.subarray(0, QUESTION.signature);
  const signature = question.subarray(QUESTION.signature, QUESTION.key);
  const first = question[QUESTION.key]!;
  if (first >= FIRST_KEY_BYTE) {
    answer[0] = Number(verifyDigest(digest, question.subarray(QUESTION.key), signature));
    return;
  }
  const signer = recoverSigner({ digest, signature, parity: first === 0 ? 0 : 1 });
  if (!signer) return;
  answer[0] = 1;
  answer.set(signer.publicKey, ANSWER.key);
  answer.set(signer.evmAddress, ANSWER.evmAddress);
  answer.set(signer.chainAddress, ANSWER.chainAddress);
}

/** Tells each question its answer, in their order. */
export function unpackAnswers(answers: Uint8Array, questions: readonly SignatureQuestion[]): void {
  for (const [i, question] of questions.entries()) {
    const at = i * ANSWER.bytes;
    const isGood = answers[at] === 1;
    if (isVerification(question)) question.answered(isGood);
    else if (!isGood) question.answered(undefined);
    else {
      // Copies: a transaction that is kept for long does not hold the answers to a whole batch.
      const publicKey = answers.slice(at + ANSWER.key, at + ANSWER.evmAddress);
      const evmAddress = answers.slice(at + ANSWER.evmAddress, at + ANSWER.chainAddress);
      const chainAddress = answers.slice(at + ANSWER.chainAddress, at + ANSWER.bytes);
      question.answered({ publicKey, evmAddress, chainAddress });
    }
  }
}
