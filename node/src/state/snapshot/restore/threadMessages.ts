import type { CodedError } from '@chain/platform';

/** What an import thread is told; pieces of the stream lie in slabs, which are shared memory. */
export type ImportRequest =
  | { readonly kind: 'piece'; readonly slab: number; readonly length: number }
  /** The stream is complete: write all of it, synced. */
  | { readonly kind: 'finish' }
  /** The state is the right one: make it count. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'close' };

export interface ImportReply {
  /** Of the commitment, after `finish`. */
  readonly appHash?: Uint8Array;
  /** Rows given to the stores, after `finish`. */
  readonly rows?: number;
}

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
  finish(): Promise<ImportReply>;
  complete(): Promise<void>;
  close(): Promise<void>;
}
