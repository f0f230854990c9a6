import { compress, FLAGS, INITIAL_WORDS, type TreeNode } from './compress.ts';

const BLOCK_BYTES = 64;
const CHUNK_BYTES = 1024;
const KEY = Uint32Array.from(INITIAL_WORDS);

/**
 * The last node of a message, not yet compressed, without its root flag: its output may be as long as wanted.
 * `message` must be followed by at least 63 zero bytes in its buffer's view: `length` tells where it ends.
 */
export function rootNode(message: Uint8Array, length: number): TreeNode {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const chunks = Math.max(1, Math.ceil(length / CHUNK_BYTES));
  return chunks === 1 ? chunkNode(view, length, 0) : subtree(view, length, { first: 0, count: chunks });
}

/** Left subtrees are the largest full ones. */
function subtree(
  view: DataView,
  length: number,
  { first, count }: { readonly first: number; readonly count: number },
): TreeNode {
  if (count === 1) return chunkNode(view, length, first);
  let left = 1;
  while (2 * left < count) left *= 2;
  const block = new Uint32Array(16);
  block.set(compress(subtree(view, length, { first, count: left })));
  block.set(compress(subtree(view, length, { first: first + left, count: count - left })), 8);
  return { chain: KEY, block, counter: 0, blockBytes: BLOCK_BYTES, flags: FLAGS.parent };
}

/** The last block of a chunk. */
function chunkNode(view: DataView, length: number, chunk: number): TreeNode {
  const start = chunk * CHUNK_BYTES;
  const end = Math.min(length, start + CHUNK_BYTES);
  let chain: Uint32Array = KEY;
  let at = start;
  for (; at + BLOCK_BYTES < end; at += BLOCK_BYTES) {
    const flags = at === start ? FLAGS.chunkStart : 0;
    chain = compress({ chain, block: wordsAt(view, at), counter: chunk, blockBytes: BLOCK_BYTES, flags });
  }
  const flags = FLAGS.chunkEnd | (at === start ? FLAGS.chunkStart : 0);
  return { chain, block: wordsAt(view, at), counter: chunk, blockBytes: end - at, flags };
}

function wordsAt(view: DataView, at: number): Uint32Array {
  const words = new Uint32Array(16);
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i, true);
  return words;
}
