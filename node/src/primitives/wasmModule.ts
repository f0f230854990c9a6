/** WebAssembly binary encoding of one module: one memory, one function of three i32 arguments. */
const EXPORT_MEMORY = 2;
const I32 = 0x7f;
const V128 = 0x7b;

export function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return bytes;
}

/** Signed LEB128, as `i32.const` wants it. */
export function signedLeb(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const last = (rest >> 6 === 0 && rest < 0x40) || rest >> 6 === -1;
    bytes.push(last ? rest & 0x7f : (rest & 0x7f) | 0x80);
    if (last) return bytes;
  }
}

interface FunctionBody {
  readonly name: string;
  readonly i32Locals: number;
  readonly v128Locals: number;
  readonly code: readonly number[];
}

const vector = (items: readonly number[][]): number[] => [...leb(items.length), ...items.flat()];
const name = (text: string): number[] => [...leb(text.length), ...Buffer.from(text, 'ascii')];
const section = (id: number, content: readonly number[]): number[] => [
  id,
  ...leb(content.length),
  ...content,
];

export function wasmModule(pages: number, body: FunctionBody): Uint8Array<ArrayBuffer> {
  const locals = vector([
    [...leb(body.i32Locals), I32],
    [...leb(body.v128Locals), V128],
  ]);
  const code = [...locals, ...body.code, 0x0b];
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    ...section(1, vector([[0x60, 3, I32, I32, I32, 0]])),
    ...section(3, vector([[0]])),
    ...section(5, vector([[0x00, ...leb(pages)]])),
    ...section(
      7,
      vector([
        [...name('memory'), EXPORT_MEMORY, 0],
        [...name(body.name), 0, 0],
      ]),
    ),
    ...section(10, vector([[...leb(code.length), ...code]])),
  ]);
}
