import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary';
import { PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination';
import { type FlatCodec, flatMessage, wrapped } from './flatMessage.ts';

const POINTER = flatMessage({ denom: [1, 'string'], pointer: [2, 'string'], version: [3, 'uint32'] });

interface PointersRequest {
  readonly pagination: PageRequest | undefined;
}

interface PointersResponse {
  readonly pointers: readonly ReturnType<typeof POINTER.decode>[];
  readonly pagination: PageResponse;
}

const pointersRequest: FlatCodec<PointersRequest> = {
  encode: ({ pagination }) => {
    const writer = BinaryWriter.create();
    return pagination ? writer.uint32(10).bytes(PageRequest.encode(pagination).finish()) : writer;
  },
  decode: (bytes) => {
    const [pagination] = messagesOf(bytes, 1);
    return { pagination: pagination && PageRequest.decode(pagination) };
  },
};

const pointersResponse: FlatCodec<PointersResponse> = {
  encode: ({ pointers, pagination }) => {
    const writer = BinaryWriter.create();
    for (const pointer of pointers) writer.uint32(10).bytes(POINTER.encode(pointer).finish());
    return writer.uint32(18).bytes(PageResponse.encode(pagination).finish());
  },
  decode: (bytes) => ({
    pointers: messagesOf(bytes, 1).map((message) => POINTER.decode(message)),
    pagination: PageResponse.decode(messagesOf(bytes, 2)[0] ?? new Uint8Array(0)),
  }),
};

/** The messages of a field, in their order. */
function messagesOf(bytes: Uint8Array, field: number): Uint8Array[] {
  const reader = new BinaryReader(bytes);
  const found: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === ((field << 3) | 2)) found.push(reader.bytes());
    else reader.skipType(tag & 7);
  }
  return found;
}

/** The messages of node/proto/chain/evm/v1/query.proto. */
export const evmMessages = {
  chainAddressRequest: flatMessage({ evmAddress: [1, 'string'] }),
  chainAddressResponse: flatMessage({ chainAddress: [1, 'string'], associated: [2, 'bool'] }),
  evmAddressRequest: flatMessage({ chainAddress: [1, 'string'] }),
  evmAddressResponse: flatMessage({ evmAddress: [1, 'string'], associated: [2, 'bool'] }),
  pointerRequest: flatMessage({ denom: [1, 'string'] }),
  pointerResponse: flatMessage({ pointer: [1, 'string'], version: [2, 'uint32'], exists: [3, 'bool'] }),
  pointeeRequest: flatMessage({ pointer: [1, 'string'] }),
  pointeeResponse: flatMessage({ pointee: [1, 'string'], version: [2, 'uint32'], exists: [3, 'bool'] }),
  pointersRequest,
  pointersResponse,
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
