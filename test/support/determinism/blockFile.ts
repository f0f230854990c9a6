import { readFileSync, writeFileSync } from 'node:fs';
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

export function readBlocks(path: string): TestBlock[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const { txs, inputs } = JSON.parse(line) as BlockLine;
    return {
      txs: txs.map(bytesOf),
      inputs: inputs.map(([decoder, base64]) => ({ decoder, bytes: bytesOf(base64) })),
    };
  });
}
