import type { BlockRecord } from '../../types/index.ts';
import type { CometDeps } from '../cometDeps.ts';
import { rpcFailure } from '../rpcFailure.ts';

/** The height that a call means: the given one, else `latest`. Throws with CometBFT's texts. */
export function resolveHeight(
  height: number | undefined,
  latest: number,
  { history }: Pick<CometDeps, 'history'>,
): number {
  if (height === undefined) return latest;
  if (height <= 0) throw rpcFailure(`height must be greater than 0, but got ${height}`);
  if (height > latest) {
    throw rpcFailure(
      `height ${height} must be less than or equal to the current blockchain height ${latest}`,
    );
  }
  const base = history.earliestHeight;
  if (height < base) throw rpcFailure(`height ${height} is not available, lowest height is ${base}`);
  return height;
}

/** The block that a call means; none right after a restore, which brings no blocks. */
export function resolveBlock(height: number | undefined, deps: CometDeps): BlockRecord | undefined {
  return deps.history.blockByHeight(resolveHeight(height, deps.chain.height, deps));
}
