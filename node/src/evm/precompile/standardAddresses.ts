import { type EvmFork, hasFork } from '../fork/evmFork.ts';

/** The last of those that follow one another from 0x01, by the fork that brought it. */
const LAST: readonly (readonly [EvmFork, number])[] = [
  ['prague', 0x11],
  ['cancun', 0x0a],
  ['berlin', 0x09],
];
/** EIP-7951: P256VERIFY lies apart, at 0x0100. */
const APART = 0x0100;

/** Whether the fork has one of Ethereum's own precompiles there. */
export function isStandardPrecompile(address: Uint8Array, fork: EvmFork): boolean {
  for (let i = 0; i < 18; i++) if (address[i] !== 0) return false;
  const number = address[18]! * 0x100 + address[19]!;
  if (number === APART) return hasFork(fork, 'osaka');
  return number > 0 && number <= lastOf(fork);
}

function lastOf(fork: EvmFork): number {
  return LAST.find(([first]) => hasFork(fork, first))![1];
}

/** Addresses of a fork's own precompiles, warm from the start of every transaction (EIP-2929). */
export function standardPrecompileAddresses(fork: EvmFork): readonly Uint8Array[] {
  const numbers = Array.from({ length: lastOf(fork) }, (_, i) => i + 1);
  if (hasFork(fork, 'osaka')) numbers.push(APART);
  return numbers.map((number) => {
    const address = new Uint8Array(20);
    address[18] = number >> 8;
    address[19] = number & 0xff;
    return address;
  });
}
