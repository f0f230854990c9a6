import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import binaryen from 'assemblyscript/binaryen';
import { expect, it } from 'vitest';
import { translate } from '../../node/src/evm/wasm/translator/index.ts';
import { hexToBytes } from '../../node/src/primitives/index.ts';
import { foldedText } from '../support/foldedText.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/internals/evmInWasm.md'), 'utf8');
/** `run`, `turn` and `badJump` come first. */
const FIRST_TRACE = '$3';
const NAMES = {
  'local.$0': '$frame',
  'local.$1': '$top',
  'local.$2': '$gas',
  'param.$0': '$frame',
  'param.$1': '$top',
  'param.$2': '$gas',
  'local.$3': '$memory',
  'local.$7': '$memorySize',
  'global.$global$0': '$floor',
  'call.$1': '$turn',
};

function blockOf(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(GUIDE)![1]!;
}

it('the guide to the EVM shows the WebAssembly that its example is translated to', () => {
  const bytecode = [...blockOf('evm').matchAll(/^\w+ +([0-9a-f]+) /gm)].map(([, hex]) => hex).join('');
  const { module } = translate({ code: hexToBytes(bytecode), fork: 'prague' })!;
  const text = foldedText(binaryen.readBinary(module).emitText(), FIRST_TRACE, NAMES);
  const shown = blockOf('wat')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith(';;'));
  // What the guide leaves out at the end it says in words.
  expect(text.startsWith(shown.join('\n').trimEnd())).toBe(true);
});
