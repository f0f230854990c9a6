import * as node from 'cosmjs-types/cosmos/base/node/v1beta1/query';
import { type QueryMethod, queryMethod } from '../queryMethod.ts';

const SERVICE = '/cosmos.base.node.v1beta1.Service';

export const NODE_METHODS: readonly QueryMethod[] = [
  queryMethod(`${SERVICE}/Config`, [node.ConfigRequest, node.ConfigResponse], (_request, { options }) => ({
    minimumGasPrice: options.minimumGasPrices,
    pruningKeepRecent: String(options.pruning.keepRecent),
    pruningInterval: String(options.pruning.interval),
    // The node never stops by itself.
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
