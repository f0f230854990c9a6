import type { PointerDeployer } from '../../ledger/index.ts';
import { bigintToFixedBytes, bytesToBigint, keccak256, utf8 } from '../../primitives/index.ts';
import { EvmState } from '../evmState.ts';
import { NATIVE_TOKEN_CODE } from './nativeTokenCode.ts';

const WORD = 32;
const DENOMINATION_SLOT = new Uint8Array(WORD);

/** Puts the contract of a pointer at its address: real code, for which every tool takes it (node/contracts). */
export const deployPointer: PointerDeployer = (overlay, { address, denomination }) => {
  const state = new EvmState(overlay);
  state.setCode(address, NATIVE_TOKEN_CODE);
  state.setNonce(address, 1n);
  for (const [slot, word] of stringRows(utf8(denomination))) state.setStorage(address, slot, word);
};

/** A string in storage as Solidity lays it out. */
function* stringRows(text: Uint8Array): Iterable<readonly [slot: Uint8Array, word: Uint8Array]> {
  if (text.length < WORD) {
    const word = padRight(text);
    word[WORD - 1] = 2 * text.length;
    yield [DENOMINATION_SLOT, word];
    return;
  }
  yield [DENOMINATION_SLOT, bigintToFixedBytes(BigInt(2 * text.length + 1), WORD)];
  const first = bytesToBigint(keccak256(DENOMINATION_SLOT));
  for (let at = 0; at < text.length; at += WORD) {
    const slot = bigintToFixedBytes(first + BigInt(at / WORD), WORD);
    yield [slot, padRight(text.subarray(at, at + WORD))];
  }
}

function padRight(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(WORD);
  word.set(bytes);
  return word;
}
