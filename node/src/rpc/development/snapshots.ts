import { toHexQuantity } from '../../primitives/index.ts';
import { param } from '../codec/codec.ts';
import { BOOLEAN, QUANTITY } from '../schema/valueSchemas.ts';
import { developmentMethods } from './developmentMethod.ts';
import { smallNumberCodec } from './numberCodec.ts';

export const SNAPSHOTS = [
  ...developmentMethods(['evm_snapshot', 'anvil_snapshot'], {
    summary: 'Remembers the state as it is and gives an id for evm_revert',
    params: [],
    result: QUANTITY,
    handle: async ({ development: { controls } }) => toHexQuantity(await controls.snapshot()),
  }),
  ...developmentMethods(['evm_revert', 'anvil_revert'], {
    summary:
      'Takes back every block since the snapshot, with its transactions, and the time; empties the mempool; false when the snapshot is used up or unknown',
    params: [param('id', smallNumberCodec)],
    result: BOOLEAN,
    errors: [{ code: -32000, message: 'the chain cannot go back to block …' }],
    handle: ({ development: { controls } }, [id]) => controls.revert(id),
  }),
];
