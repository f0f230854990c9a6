import type { EVM } from '@ethereumjs/evm';

/** What the library's opcode handlers work on, as far as tracing looks at it. */
export interface RunState {
  readonly opCode: number;
  readonly gasLeft: bigint;
  readonly messageGasLimit?: bigint;
  readonly returnBytes: Uint8Array;
  readonly stack: { readonly length: number; peek(count: number): bigint[] };
  readonly memory: { read(offset: number, length: number): Uint8Array };
  readonly env: { isStatic: boolean };
  readonly interpreter: {
    readonly _env: {
      isStatic: boolean;
      readonly depth: number;
      readonly address: { readonly bytes: Uint8Array };
      readonly caller: { readonly bytes: Uint8Array };
      readonly callValue: bigint;
      readonly contract: { readonly balance: bigint };
    };
    readonly _result: { readonly logs: readonly [Uint8Array, Uint8Array[], Uint8Array][] };
  };
}

export type GasHandler = (state: RunState, gas: bigint, common: unknown) => Promise<bigint>;
export type OpcodeHandler = (state: RunState, common: unknown) => unknown;

/** An instance's own row for an opcode. */
export interface OpcodeEntry {
  readonly opcodeInfo: { readonly isAsync: boolean; readonly dynamicGas: boolean };
  opHandler: OpcodeHandler;
  gasHandler: GasHandler;
}

export function opcodeTable(evm: EVM): readonly OpcodeEntry[] {
  return (evm as unknown as { readonly _opcodeMap: OpcodeEntry[] })._opcodeMap;
}
