import { flatMessage, wrapped } from './flatMessage.ts';

/** The messages of node/proto/chain/evm/v1/query.proto. */
export const evmMessages = {
  chainAddressRequest: flatMessage({ evmAddress: [1, 'string'] }),
  chainAddressResponse: flatMessage({ chainAddress: [1, 'string'], associated: [2, 'bool'] }),
  evmAddressRequest: flatMessage({ chainAddress: [1, 'string'] }),
  evmAddressResponse: flatMessage({ evmAddress: [1, 'string'], associated: [2, 'bool'] }),
  paramsRequest: flatMessage({}),
  paramsResponse: wrapped(
    'params',
    flatMessage({
      evmChainId: [1, 'string'],
      minimumFeePerGas: [2, 'string'],
      maximumFeePerGas: [3, 'string'],
      maxDynamicBaseFeeUpwardAdjustment: [4, 'string'],
      maxDynamicBaseFeeDownwardAdjustment: [5, 'string'],
      targetGasUsedPerBlock: [6, 'uint64'],
      nextBaseFee: [7, 'string'],
    }),
  ),
} as const;
