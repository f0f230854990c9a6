import type { EvmHost } from '../../evmEngine.ts';
import type { LinearMemory } from '../memory/index.ts';
import type { Accounts, Journal } from '../tables/index.ts';
import type { Frame } from './frame.ts';
import type { FrameWatch } from './frameWatch.ts';

/** What calls and creations need of the execution that they are part of. */
export interface MessageScope {
  readonly memory: LinearMemory;
  readonly host: EvmHost;
  readonly journal: Journal;
  readonly accounts: Accounts;
  /** Who watches, if anybody does. */
  readonly watch: FrameWatch | undefined;
  /** Whether the frame on top is as deep as frames may be. */
  readonly isDeepest: boolean;
  push(frame: Frame): void;
  /** Lets linear memory reach `end`. */
  reserve(end: number): void;
  transfer(from: Uint8Array, to: Uint8Array, wei: bigint): void;
  /** Asks the host now and then whether to go on. */
  countCall(): void;
}
