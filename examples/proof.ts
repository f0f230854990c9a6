import { iavlSpec, ics23, tendermintSpec, verifyMembership, verifyNonMembership } from '@confio/ics23';

/**
 * Proves storage words of a contract against the app hash, trusting nothing but the header of the next block.
 * `node examples/proof.ts [URL [ADDRESS SLOT…]]`; unless named, the node is http://127.0.0.1:8545 and the word is
 * what the history contract of EIP-2935 keeps in slot 0.
 */
interface Proof {
  readonly address: string;
  readonly hexValues: readonly string[];
  readonly storageProof: readonly {
    readonly ops: readonly { readonly type: string; readonly key: string; readonly data: string }[];
  }[];
}

const HISTORY_CONTRACT = '0x0000f90827f1c53a10cb7a02335b175320002935';
/** What the EVM store calls a storage word: 0x03, the address, the slot. */
const STORAGE = '03';
const [url = 'http://127.0.0.1:8545', address = HISTORY_CONTRACT, ...named] = process.argv.slice(2);
const slots = named.length > 0 ? named : ['0x0'];

async function call<T>(method: string, ...params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error) {
    console.error(`${method}: ${error.message}`);
    process.exit(1);
  }
  return result;
}

const bytes = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'));
const ofHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/^0x/, ''), 'hex'));

/** The header after `block` carries the app hash of the state that `block` left. */
async function appHashAfter(block: string): Promise<Uint8Array> {
  const next = `0x${(BigInt(block) + 1n).toString(16)}`;
  for (;;) {
    const header = await call<{ stateRoot: string } | null>('eth_getBlockByNumber', next, false);
    if (header) return ofHex(header.stateRoot);
    await new Promise((later) => setTimeout(later, 100));
  }
}

function holds({ storageProof, hexValues }: Proof, index: number, appHash: Uint8Array): boolean {
  const [iavl, simple] = storageProof[index]!.ops;
  // The key is made here: a proof of another key would prove nothing about this one.
  const slot = slots[index]!.replace(/^0x/, '').padStart(64, '0');
  const key = ofHex(STORAGE + address.replace(/^0x/, '') + slot);
  const inStore = ics23.CommitmentProof.decode(bytes(iavl!.data));
  const inAppHash = ics23.CommitmentProof.decode(bytes(simple!.data));
  const storeRoot = inAppHash.exist!.value!;
  const isStore = verifyMembership(inAppHash, tendermintSpec, appHash, Buffer.from('evm'), storeRoot);
  if (hexValues[index] === '0x') return isStore && verifyNonMembership(inStore, iavlSpec, storeRoot, key);
  return isStore && verifyMembership(inStore, iavlSpec, storeRoot, key, ofHex(hexValues[index]!));
}

const block = await call<string>('eth_blockNumber');
const proof = await call<Proof>('eth_getProof', address, slots, block);
const appHash = await appHashAfter(block);
console.log(`block ${block}, app hash 0x${Buffer.from(appHash).toString('hex')}`);
for (const [index, slot] of slots.entries()) {
  const isTrue = holds(proof, index, appHash);
  console.log(`${slot} = ${proof.hexValues[index]} ${isTrue ? 'proven' : 'NOT PROVEN'}`);
  if (!isTrue) process.exitCode = 1;
}
