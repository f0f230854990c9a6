import type { PointReads } from '../../state/view/index.ts';
import { highestFloor, missingData } from '../blocks/floors.ts';
import type { BlockReads } from '../blocks/resolveBlock.ts';
import { RPC_CODE, RpcError } from '../rpcError.ts';

/**
 * The height of the block after which something is so that was not before: it is looked for by halves, as what came
 * to be stays. `undefined` when it is not so yet. Throws −32000 when it was so before the first state that is held.
 */
export function firstHeight(deps: BlockReads, isSo: (state: PointReads) => boolean): number | undefined {
  const { chain } = deps;
  const floor = highestFloor(deps, ['state']);
  let so = chain.height;
  if (so === 0 || !isSo(chain.stateAt(so))) return undefined;
  if (isSo(chain.stateAt(floor))) {
    if (floor <= deps.initialHeight) return floor;
    throw new RpcError(
      RPC_CODE.server,
      `it was so at block ${floor} already, before which the state is pruned`,
      missingData(['state'], floor),
    );
  }
  let before = floor;
  while (so - before > 1) {
    const middle = before + Math.floor((so - before) / 2);
    if (isSo(chain.stateAt(middle))) so = middle;
    else before = middle;
  }
  return so;
}
