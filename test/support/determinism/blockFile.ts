import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import type { DecoderInput } from './decoders.ts';

/** The transactions of a block, and inputs of decoders that no block meets but a validator. */
export interface TestBlock {
  readonly txs: readonly Uint8Array[];
  readonly inputs: readonly DecoderInput[];
}

interface BlockLine {
  readonly txs: readonly string[];
  readonly inputs: readonly (readonly [DecoderInput['decoder'], string])[];
}

/** What is read at a time; base64 and names are all ASCII. */
const CHUNK_BYTES = 1 << 18;

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));

/** One line a block. */
export function writeBlocks(path: string, blocks: readonly TestBlock[]): void {
  const lines = blocks.map(({ txs, inputs }) => {
    const line: BlockLine = {
      txs: txs.map(text),
      inputs: inputs.map(({ decoder, bytes }) => [decoder, text(bytes)]),
    };
    return `${JSON.stringify(line)}\n`;
  });
  writeFileSync(path, lines.join(''));
}

/** One block after another: a process with a small heap has no room for all of them. */
export function* readBlocks(path: string): Generator<TestBlock> {
  for (const line of linesIn(path)) {
    const { txs, inputs } = JSON.parse(line) as BlockLine;
    yield {
      txs: txs.map(bytesOf),
      inputs: inputs.map(([decoder, base64]) => ({ decoder, bytes: bytesOf(base64) })),
    };
  }
}

function* linesIn(path: string): Generator<string> {
  const file = openSync(path, 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = '';
  try {
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      const lines = (rest + chunk.toString('latin1', 0, length)).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
  } finally {
    closeSync(file);
  }
}
