import { toHexQuantity } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

export const peerCount = rpcMethod({
  name: 'net_peerCount',
  summary: 'Number of peers',
  params: [],
  result: QUANTITY,
  errors: [{ code: -32000, message: 'CometBFT does not answer: …' }],
  uses: ['network'],
  handle: async ({ network }) => toHexQuantity((await network.standing()).peers),
});
