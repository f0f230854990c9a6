import { readFeeParameters, readNextBaseFee } from '../../execution/index.ts';
import { readChainAddress, readEvmAddress } from '../../ledger/index.ts';
import { formatDecimal, toChecksumAddress } from '../../primitives/index.ts';
import { accountText, parseAccount, parseEvmAddress } from '../addresses.ts';
import { type QueryMethod, queryMethod } from '../queryMethod.ts';
import { evmMessages } from './evmMessages.ts';

const SERVICE = '/chain.evm.v1.Query';

export const EVM_METHODS: readonly QueryMethod[] = [
  queryMethod(
    `${SERVICE}/ChainAddressByEVMAddress`,
    [evmMessages.chainAddressRequest, evmMessages.chainAddressResponse],
    ({ evmAddress }, { state }) => {
      const address = parseEvmAddress(evmAddress);
      const associated = readChainAddress(state, address);
      return { chainAddress: accountText(associated ?? address), associated: associated !== undefined };
    },
  ),
  queryMethod(
    `${SERVICE}/EVMAddressByChainAddress`,
    [evmMessages.evmAddressRequest, evmMessages.evmAddressResponse],
    ({ chainAddress }, { state }) => {
      const address = parseAccount(chainAddress);
      const associated = readEvmAddress(state, address);
      return { evmAddress: toChecksumAddress(associated ?? address), associated: associated !== undefined };
    },
  ),
  queryMethod(
    `${SERVICE}/Params`,
    [evmMessages.paramsRequest, evmMessages.paramsResponse],
    (_request, { state, options }) => {
      const fees = readFeeParameters(state);
      return {
        params: {
          evmChainId: options.evmChainId.toString(),
          minimumFeePerGas: formatDecimal(fees.minimumFeePerGas),
          maximumFeePerGas: formatDecimal(fees.maximumFeePerGas),
          maxDynamicBaseFeeUpwardAdjustment: formatDecimal(fees.maxUpwardAdjustment),
          maxDynamicBaseFeeDownwardAdjustment: formatDecimal(fees.maxDownwardAdjustment),
          targetGasUsedPerBlock: fees.targetGasUsedPerBlock,
          nextBaseFee: readNextBaseFee(state).toString(),
        },
      };
    },
  ),
];
