import { readFeeParameters, readNextBaseFee } from '../../execution/index.ts';
import {
  type DenominationMetadata,
  isDenomination,
  metadataRows,
  pointerAddressOf,
  readChainAddress,
  readEvmAddress,
  readPointee,
  readPointer,
} from '../../ledger/index.ts';
import { formatDecimal, toChecksumAddress } from '../../primitives/index.ts';
import { accountText, parseAccount, parseEvmAddress } from '../addresses.ts';
import { pageOf } from '../page.ts';
import { queryErrors } from '../queryErrors.ts';
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
    `${SERVICE}/Pointer`,
    [evmMessages.pointerRequest, evmMessages.pointerResponse],
    ({ denom }, { state }) => {
      if (!isDenomination(denom)) throw queryErrors.invalid(`invalid denom: ${denom.slice(0, 140)}`);
      const pointer = readPointer(state, denom);
      return {
        pointer: toChecksumAddress(pointer?.address ?? pointerAddressOf(denom)),
        version: pointer?.version ?? 0,
        exists: pointer !== undefined,
      };
    },
  ),
  queryMethod(
    `${SERVICE}/Pointee`,
    [evmMessages.pointeeRequest, evmMessages.pointeeResponse],
    (request, { state }) => {
      const pointee = readPointee(state, parseEvmAddress(request.pointer)) ?? '';
      const version = readPointer(state, pointee)?.version ?? 0;
      return { pointee, version, exists: pointee !== '' };
    },
  ),
  queryMethod(
    `${SERVICE}/Pointers`,
    [evmMessages.pointersRequest, evmMessages.pointersResponse],
    async ({ pagination }, scope) => {
      // Every pointed denomination has metadata, whose rows can be listed; those of the EVM cannot.
      const pointerOf = ({ base }: DenominationMetadata) => readPointer(scope.state, base);
      const hasPointer = (metadata: DenominationMetadata) => pointerOf(metadata) !== undefined;
      const page = await pageOf(scope, metadataRows(), pagination, hasPointer);
      const pointers = page.items.map((metadata) => {
        const { address, version } = pointerOf(metadata)!;
        return { denom: metadata.base, pointer: toChecksumAddress(address), version };
      });
      return { pointers, pagination: page.pagination };
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
