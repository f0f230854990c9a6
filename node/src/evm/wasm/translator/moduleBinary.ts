import { leb } from '../../../primitives/index.ts';
import { I32, I64, V128, WASM } from './wasmBody.ts';

/** A type of functions: parameters and results. */
export interface Signature {
  readonly takes: readonly number[];
  readonly gives: readonly number[];
}

export interface ImportedFunction {
  readonly module: string;
  readonly name: string;
  readonly signature: Signature;
}

export interface ModuleFunction {
  readonly signature: Signature;
  /** How many locals of each type come behind the parameters, in this order. */
  readonly locals: { readonly i32: number; readonly v128: number; readonly i64: number };
  readonly code: readonly number[];
}

/** What a module holds besides: a table of functions, one i64 global, one export. */
export interface ModuleParts {
  readonly imports: readonly ImportedFunction[];
  readonly functions: readonly ModuleFunction[];
  /** Indices among `functions`. */
  readonly table: readonly number[];
  readonly exported: { readonly name: string; readonly index: number };
}

const MAX_MEMORY_PAGES = 0x8000;
const FUNCTION_TYPE = 0x60;
const FUNCREF = 0x70;

const vector = (items: readonly (readonly number[])[]): number[] => {
  const bytes = leb(items.length);
  for (const item of items) for (const byte of item) bytes.push(byte);
  return bytes;
};
const name = (text: string): number[] => [...leb(text.length), ...Buffer.from(text, 'ascii')];

/** WebAssembly's binary form of a module that imports its memory as `env.memory`. */
export function encodeModule({ imports, functions, table, exported }: ModuleParts): Uint8Array {
  const types = new Map<string, number>();
  const typeBytes: number[][] = [];
  const typeOf = ({ takes, gives }: Signature): number => {
    const key = `${takes.join()}:${gives.join()}`;
    const known = types.get(key);
    if (known !== undefined) return known;
    types.set(key, typeBytes.length);
    typeBytes.push([
      FUNCTION_TYPE,
      ...vector(takes.map((type) => [type])),
      ...vector(gives.map((type) => [type])),
    ]);
    return typeBytes.length - 1;
  };
  // The first type is that of the table's functions.
  typeOf(functions[table[0]!]!.signature);
  const importBytes = imports.map(({ module, name: field, signature }) => [
    ...name(module),
    ...name(field),
    0x00,
    ...leb(typeOf(signature)),
  ]);
  importBytes.push([...name('env'), ...name('memory'), 0x02, 0x01, 0x01, ...leb(MAX_MEMORY_PAGES)]);
  const functionBytes = functions.map(({ signature }) => leb(typeOf(signature)));
  const elements = table.map((index) => leb(imports.length + index));
  const sections: readonly (readonly [number, readonly number[]])[] = [
    [1, vector(typeBytes)],
    [2, vector(importBytes)],
    [3, vector(functionBytes)],
    [4, [0x01, FUNCREF, 0x00, ...leb(table.length)]],
    [6, [0x01, I64, 0x01, WASM.i64Const, 0x00, WASM.end]],
    [7, [0x01, ...name(exported.name), 0x00, ...leb(imports.length + exported.index)]],
    [9, [0x01, 0x00, WASM.i32Const, 0x00, WASM.end, ...vector(elements)]],
    [10, vector(functions.map(encodeBody))],
  ];
  return joined(sections);
}

function encodeBody({ locals, code }: ModuleFunction): number[] {
  const groups = [
    [locals.i32, I32],
    [locals.v128, V128],
    [locals.i64, I64],
  ].filter(([count]) => count! > 0);
  const head = vector(groups.map(([count, type]) => [...leb(count!), type!]));
  const body = leb(head.length + code.length + 1);
  for (const part of [head, code]) for (const byte of part) body.push(byte);
  body.push(WASM.end);
  return body;
}

function joined(sections: readonly (readonly [number, readonly number[]])[]): Uint8Array {
  const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const parts = [Uint8Array.from(header)];
  for (const [id, content] of sections) {
    parts.push(Uint8Array.from([id, ...leb(content.length)]), Uint8Array.from(content));
  }
  return new Uint8Array(Buffer.concat(parts));
}
