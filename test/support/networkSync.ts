import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkNode } from './networkNode.ts';

/** Sets a home to state sync, trusting what `trusted` says of an early block. */
export async function enableStateSync(node: NetworkNode, trusted: NetworkNode): Promise<void> {
  const { block_id } = await trusted.call<{ block_id: { hash: string } }>('block?height=2');
  node.edit('config', {
    'statesync.enable': true,
    'statesync.rpc_servers': `${trusted.consensusRpc},${trusted.consensusRpc}`,
    'statesync.trust_height': 2,
    'statesync.trust_hash': block_id.hash,
    'statesync.discovery_time': 5000,
  });
}

export const snapshotsOf = ({ home }: NetworkNode): number[] => {
  try {
    return readdirSync(join(home, 'data/snapshots'))
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .sort((a, b) => a - b);
  } catch {
    return [];
  }
};

/** Puts a snapshot on a node's shelf that agrees with itself and holds nonsense. */
export function forgeSnapshot({ home }: NetworkNode, height: number): void {
  const shelf = join(home, 'data/snapshots');
  const [real] = readdirSync(shelf).filter((name) => /^\d+$/.test(name));
  const directory = join(shelf, String(height));
  mkdirSync(join(directory, '1'), { recursive: true });
  const chunk = Buffer.from('what a peer says is the state, and is not. '.repeat(2000));
  writeFileSync(join(directory, '1/0'), chunk);
  writeFileSync(join(directory, 'restore_point.pb'), readFileSync(join(shelf, real!, 'restore_point.pb')));
  const hash = createHash('sha256').update(chunk).digest();
  const description = [varintField(1, height), varintField(2, 1), varintField(3, 1), bytesField(4, hash)];
  description.push(bytesField(5, bytesField(1, hash)));
  writeFileSync(join(directory, 'snapshot.pb'), Buffer.concat(description));
}

/** Makes the newest chunks of a node's shelf others than they say they are. */
export function spoilChunks({ home }: NetworkNode, height: number): void {
  const path = join(home, 'data/snapshots', String(height), '1/0');
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 0xff;
  writeFileSync(path, bytes);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

const varintField = (field: number, value: number): Buffer =>
  Buffer.concat([varint(field << 3), varint(value)]);
const bytesField = (field: number, value: Uint8Array): Buffer =>
  Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);
