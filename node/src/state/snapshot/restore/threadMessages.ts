import type { CodedError } from '@chain/platform';
import type { CommitPosition } from '../../commit/index.ts';
import type { StreamPosition } from '../stream/itemReader.ts';

/** Where both threads are, all before it durable; plain, so that it can be noted in the journal. */
export interface ImportPosition {
  readonly stream: StreamPosition;
  readonly commit: CommitPosition;
  /** Rows given to the stores so far. */
  readonly rows: number;
}

/** What an import thread is told; pieces of the stream lie in slabs, which are shared memory. */
export type ImportRequest =
  | { readonly kind: 'piece'; readonly slab: number; readonly length: number }
  /** Everything is open, and as far as the position says. */
  | { readonly kind: 'ready' }
  /** Make durable what has come so far. */
  | { readonly kind: 'checkpoint' }
  /** The stream is complete: write all of it, synced. */
  | { readonly kind: 'finish' }
  /** The state is the right one: make it count. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'close' };

export interface ImportReply {
  /** Of the commitment, after `finish`. */
  readonly appHash?: Uint8Array;
  /** After `checkpoint` and `finish`: of the thread's own side. */
  readonly position?: Partial<ImportPosition>;
}
export type ImportCall = Exclude<ImportRequest['kind'], 'piece'>;

export type ImportMessage =
  | { readonly kind: 'free'; readonly slab: number }
  | { readonly kind: 'reply'; readonly reply: ImportReply }
  /** Nothing follows it. A coded error as it crosses threads, which keep no classes. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly fields: CodedError['fields'];
    };

/** One side of an import, on its thread. */
export interface ImportHost {
  /** The bytes are not used after it resolves. */
  piece(bytes: Uint8Array): void | Promise<void>;
  ready(): Promise<void>;
  checkpoint(): Promise<ImportReply>;
  finish(): Promise<ImportReply>;
  complete(): Promise<void>;
  close(): Promise<void>;
}
