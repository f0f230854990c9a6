import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INSTRUCTIONS, instructionOf, Op } from '../../node/src/evm/index.ts';
import { trackedFiles } from '../support/trackedFiles.ts';

const OWNER = 'node/src/evm/instructions/';
const HOLDERS = /^(node\/src\/(evm\/(?!precompile)|tracing|rpc)|node\/assembly\/evm|test\/support)\/.*\.ts$/;
const NAMES = Object.keys(Op).join('|');
/** Each is a way to write an opcode as a number. */
const MAGIC: readonly RegExp[] = [
  new RegExp(`\\bconst (${NAMES})\\b[^=]*= 0x[0-9a-f]+;`),
  /\bop(code|Code)?\)? (===?|!==?|[<>]=?) (0x[0-9a-f]+|(?!256)\d+)\b/,
  /\bop(code|Code)? [-+] (0x[0-9a-f]+|\d{2,})\b/,
  /\bcase 0x[0-9a-f]{2}:/,
  /\bnew (Set|Map)(<[^>]*>)?\(\[\s*\[?0x[0-9a-f]{2}, /,
];

function magicIn(source: string): string | undefined {
  return MAGIC.map((pattern) => pattern.exec(source)?.[0]).find((found) => found !== undefined);
}

describe('the instruction set', () => {
  it('has one owner: no other file writes an opcode as a number', () => {
    const files = trackedFiles().filter((path) => HOLDERS.test(path) && !path.startsWith(OWNER));
    expect(files.length).toBeGreaterThan(200);
    const found = files.flatMap((path) => {
      const magic = magicIn(readFileSync(path, 'utf8'));
      return magic ? [`${path}: ${magic}`] : [];
    });
    expect(found).toEqual([]);
  });

  it.each([
    'const SLOAD = 0x54;',
    'const STOP = 0x00;',
    'if (opcode === 0x55) return;',
    'if (opcode >= 96 && opcode <= 127) return;',
    'pc += opcode - 0x5f;',
    '      case 0x01: add(b, a, b);',
    'const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2]);',
    'const KINDS = new Map([\n  [0xf0, "CREATE"],',
  ])('the gate names a planted number: %s', (planted) => {
    expect(magicIn(planted)).toBeDefined();
  });

  it('has a row for each number that has a name', () => {
    for (const [name, opcode] of Object.entries(Op)) expect(instructionOf(opcode).name).toBe(name);
    expect(INSTRUCTIONS.map(({ opcode }) => opcode)).toEqual(
      [...new Set(INSTRUCTIONS.map(({ opcode }) => opcode))].sort((a, b) => a - b),
    );
    expect(instructionOf(0x0c)).toMatchObject({ name: 'opcode 0xc not defined', since: undefined });
    expect(instructionOf(0xe0)).toMatchObject({ name: 'RJUMP', class: 'none' });
  });
});
