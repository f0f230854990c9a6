import * as node from 'cosmjs-types/cosmos/base/node/v1beta1/query';
import { type QueryMethod, queryMethod } from '../queryMethod.ts';

const SERVICE = '/cosmos.base.node.v1beta1.Service';

export const NODE_METHODS: readonly QueryMethod[] = [
  queryMethod(`${SERVICE}/Config`, [node.ConfigRequest, node.ConfigResponse], (_request, { options }) => ({
    // Neither exists here: the fee market sets prices, and the node never stops by itself.
    minimumGasPrice: '',
    pruningKeepRecent: String(options.keepRecentBlocks),
    pruningInterval: '0',
    haltHeight: 0n,
  })),
  queryMethod(
    `${SERVICE}/Status`,
    [node.StatusRequest, node.StatusResponse],
    (_request, { deps: { chain, history } }) => {
      const header = chain.lastRecord?.block.header;
      return node.StatusResponse.fromPartial({
        earliestStoreHeight: BigInt(history.earliestHeight),
        height: BigInt(chain.height),
        ...(header && { timestamp: header.time, validatorHash: header.validatorsHash }),
        appHash: chain.appHash,
      });
    },
  ),
];
