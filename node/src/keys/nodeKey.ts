import { writeFileDurably } from '@chain/platform';
import { bytesToHex } from '../primitives/index.ts';
import { type Ed25519Key, ed25519Address, generateEd25519 } from './ed25519.ts';
import { parsePrivateKey, privateKeyJson, readKeyFile } from './keyFile.ts';

export interface NodeKey {
  /** What peers call this node: 40 lower-case hex digits. */
  readonly id: string;
}

/** Makes `node_key.json`, CometBFT's form. */
export async function createNodeKey(path: string): Promise<NodeKey> {
  const key = generateEd25519();
  await writeFileDurably(path, JSON.stringify({ priv_key: privateKeyJson(key) }));
  return toNodeKey(key);
}

/** Throws KEYS_FILE_INVALID naming the file and what is wrong. */
export async function readNodeKey(path: string): Promise<NodeKey> {
  return toNodeKey(parsePrivateKey(path, (await readKeyFile(path)).priv_key));
}

function toNodeKey(key: Ed25519Key): NodeKey {
  return { id: bytesToHex(ed25519Address(key.publicKey)) };
}
