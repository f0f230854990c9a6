import type { StatusView } from './statusView.ts';

/** Where the page gets its facts. */
export interface StatusSource {
  /** Grows with every change, so that a reader knows whether it has seen the present state. */
  revision(): number;
  /** The present state; cheap, it is asked at every change and for every reader. */
  view(): StatusView;
  /** Calls `listener` after every change, until the returned function is called. */
  onChange(listener: () => void): () => void;
}
