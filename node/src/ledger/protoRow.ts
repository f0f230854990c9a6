import type { Overlay, PointReads } from '../state/view/index.ts';

/** What the generated code of a protobuf message offers. */
export interface MessageCodec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

export interface RowPlace {
  readonly store: string;
  readonly key: Uint8Array;
}

export function readRow<T>(
  state: PointReads,
  { store, key }: RowPlace,
  codec: MessageCodec<T>,
): T | undefined {
  const row = state.get(store, key);
  return row && codec.decode(row);
}

export function writeRow<T>(
  overlay: Overlay,
  { store, key }: RowPlace,
  codec: MessageCodec<T>,
  message: T,
): void {
  overlay.set(store, key, codec.encode(message).finish());
}
