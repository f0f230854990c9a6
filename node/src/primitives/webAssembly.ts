/** WebAssembly as this project uses it: the language's type library leaves it to the browser's. */
export interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
  /** By so many pages; `buffer` is another one then. Throws RangeError beyond the maximum. */
  grow(pages: number): number;
}

interface WebAssemblyGlobal {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports?: object) => { readonly exports: object };
  /** What a trap throws. */
  readonly RuntimeError: new (
    message?: string,
  ) => Error;
  /** Sizes in pages of 64 KiB. */
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum: number;
  }) => WebAssemblyMemory;
}

export const { Module, Instance, Memory, RuntimeError } = (
  globalThis as unknown as { WebAssembly: WebAssemblyGlobal }
).WebAssembly;
