import { createMPT } from '@ethereumjs/mpt';
import { encode } from '@ethereumjs/rlp';
import { bigintToBytes, bytesToBigint, bytesToHex, keccak256 } from '../../../node/src/primitives/index.ts';

/** An account of a world state. */
export interface WorldAccount {
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly code: Uint8Array;
  /** Slots and words of 32 bytes; none is zero. */
  readonly storage: Iterable<readonly [slot: Uint8Array, word: Uint8Array]>;
}

/** The root of Ethereum's Merkle Patricia trie over accounts, as hex. */
export async function stateRoot(accounts: Iterable<WorldAccount>): Promise<string> {
  const trie = await createMPT({ useKeyHashing: true });
  for (const account of accounts) {
    const storage = await storageRoot(account.storage);
    const fields = [quantity(account.nonce), quantity(account.balance), storage, keccak256(account.code)];
    await trie.put(account.address, encode(fields));
  }
  return `0x${bytesToHex(trie.root())}`;
}

async function storageRoot(storage: WorldAccount['storage']): Promise<Uint8Array> {
  const trie = await createMPT({ useKeyHashing: true });
  for (const [slot, word] of storage) await trie.put(slot, encode(quantity(bytesToBigint(word))));
  return trie.root();
}

/** Big-endian, without leading zeros. */
function quantity(value: bigint): Uint8Array {
  return value === 0n ? new Uint8Array(0) : bigintToBytes(value);
}
