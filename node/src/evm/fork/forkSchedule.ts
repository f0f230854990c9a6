import { parseJson } from '@chain/platform';
import { utf8 } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay, PointReads } from '../../state/view/index.ts';
import { type EvmFork, USUAL_FORK } from './evmFork.ts';

/** From which height on a fork's rules hold; the first stage begins at 0, heights do not fall. */
export interface ForkStage {
  readonly fork: EvmFork;
  readonly height: number;
}

const KEY = utf8('evm/Forks');

/** Genesis writes it when it names forks; the row is part of the state that every node agrees on. */
export function writeForks(overlay: Overlay, stages: readonly ForkStage[]): void {
  overlay.set(STORE.params, KEY, utf8(JSON.stringify(stages)));
}

/** Stages of the chain, oldest first. */
export function readForks(state: PointReads): readonly ForkStage[] {
  const row = state.get(STORE.params, KEY);
  if (!row) return [{ fork: USUAL_FORK, height: 0 }];
  return parseJson(row) as ForkStage[];
}

/** The rules that a block at `height` runs by. */
export function forkAt(state: PointReads, height: number): EvmFork {
  const row = state.get(STORE.params, KEY);
  if (!row) return USUAL_FORK;
  return readForks(state).findLast((stage) => stage.height <= height)!.fork;
}
