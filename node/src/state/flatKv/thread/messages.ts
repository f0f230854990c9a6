import type { CodedError } from '@chain/platform';
import type { TableCheckOutcome } from '../../../db/index.ts';

/**
 * What the thread is asked; one at a time, in order. Payloads are changelog entries without a record. Every write is
 * synced: LevelDB reads its log past pages that a lost power has left out, and a batch behind them would be taken for
 * the end of a whole history.
 */
export type EngineRequest =
  | { readonly kind: 'open' }
  /** Blocks that follow one another. */
  | { readonly kind: 'apply'; readonly payloads: readonly Uint8Array[] }
  /** What the rows that later versions wrote were at this older one. */
  | { readonly kind: 'rewind'; readonly payload: Uint8Array }
  /** Drops the working store, durably, and begins an empty one beside its place. */
  | { readonly kind: 'rebuild' }
  /** Part of the state that the store is rebuilt from. */
  | { readonly kind: 'rows'; readonly payload: Uint8Array }
  /** Puts the rebuilt store in the working one's place. */
  | { readonly kind: 'install' }
  | { readonly kind: 'close' };

/** Where the store stands after a request. */
export interface EngineStatus {
  readonly version: number;
  /** What one of the databases has; above `version` when a write was cut short. */
  readonly newestVersion: number;
  readonly durableVersion: number;
  readonly hash: Uint8Array;
  /** Time that the request took. */
  readonly seconds: number;
}

/** What the thread is started with. */
export interface EngineStart {
  readonly directory: string;
  /** As in `DbOptions`. */
  readonly bytesCheckedAtOpen: number | undefined;
}

/** The way to a store that lives elsewhere. Requests are answered in order. */
export interface EngineLink {
  /** A payload is handed over: it may be empty for the caller afterwards. */
  call(request: EngineRequest): Promise<EngineStatus>;
  /** Ends the requests that are under way and closes the store. */
  close(): Promise<void>;
}

export interface ThreadRequest {
  readonly id: number;
  readonly request: EngineRequest;
}

export type ThreadReply =
  | { readonly id: number; readonly status: EngineStatus }
  | { readonly id: number; readonly error: ThreadError };

/** Unasked: what became of the tables that were not checked when a database opened. */
export interface ThreadNotice {
  readonly checked: Omit<TableCheckOutcome, 'failure'> & { readonly failure?: ThreadError };
}

/** A coded error as it crosses threads, which keep no classes. */
export interface ThreadError {
  readonly code: string;
  readonly message: string;
  readonly fields: CodedError['fields'];
}
