import { isCodedError } from '@chain/platform';

/** One decoder or parser of what others send. */
export interface FuzzTarget {
  /** Also the directory of its corpus. */
  readonly name: string;
  /** Reads the bytes; returns for what it takes, throws for what it refuses. What else it throws is a fault. */
  readonly read: (bytes: Uint8Array) => unknown;
  /** Ordinary inputs, from which mutation begins. */
  readonly seeds: readonly (Uint8Array | string)[];
  /** Whether an error is a refusal: an error of the decoder's own. */
  readonly refuses?: (error: unknown) => boolean;
}

/** What a target says of an input that is neither taken nor refused. */
export function faultOf({ read, refuses = isCodedError }: FuzzTarget, bytes: Uint8Array): unknown {
  try {
    read(bytes);
    return undefined;
  } catch (error) {
    return refuses(error) ? undefined : (error ?? 'nothing was thrown');
  }
}
