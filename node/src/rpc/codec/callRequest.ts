import type { CallRequest } from '../../execution/index.ts';
import { InvalidParam, serverError } from '../rpcError.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { type Codec, jsonKind } from './codec.ts';
import { addressAt, addressCodec, dataAt, type GoPlace, hashCodec, quantityAt } from './hexCodecs.ts';
import { ObjectFields } from './objectFields.ts';

/** A call object and the chain id that it may name. */
export interface CallParameter extends CallRequest {
  readonly chainId: bigint | undefined;
}

const STRUCT = 'ethapi.TransactionArgs';
const quantity = (place: GoPlace) => quantityAt(256, place);
const uint64 = (place: GoPlace) => quantityAt(64, place);

/** The call object of `eth_call` and `eth_estimateGas`; `input` wins over `data` (json-rpc.md §2.8). */
export const callRequestCodec: Codec<CallParameter> = {
  schema: ref('CallRequest'),
  decode: (value) => {
    const fields = new ObjectFields(value, STRUCT);
    const request = {
      from: fields.optional('from', addressAt),
      to: fields.optional('to', addressAt),
      gas: fields.optional('gas', uint64),
      gasPrice: fields.optional('gasPrice', quantity),
      maxFeePerGas: fields.optional('maxFeePerGas', quantity),
      maxPriorityFeePerGas: fields.optional('maxPriorityFeePerGas', quantity),
      value: fields.optional('value', quantity),
      nonce: fields.optional('nonce', uint64),
      data: fields.optional('input', dataAt) ?? fields.optional('data', dataAt),
      accessList: fields.list('accessList', accessListEntry),
      authorizationList: fields.list('authorizationList', authorization),
      chainId: fields.optional('chainId', quantity),
    };
    if (
      request.gasPrice !== undefined &&
      (request.maxFeePerGas ?? request.maxPriorityFeePerGas) !== undefined
    ) {
      throw serverError('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified');
    }
    return request;
  },
};

function accessListEntry(value: unknown) {
  const fields = new ObjectFields(value, 'types.AccessTuple');
  return {
    address: fields.required('address', addressAt),
    storageKeys: fields.list('storageKeys', (key) => hashCodec.decode(key)) ?? [],
  };
}

function authorization(value: unknown) {
  const fields = new ObjectFields(value, 'types.SetCodeAuthorization');
  return {
    chainId: fields.required('chainId', quantity),
    address: addressCodec.decode(fields.raw('address')),
    nonce: fields.required('nonce', uint64),
    yParity: fields.required('yParity', uint64),
    r: fields.required('r', quantity),
    s: fields.required('s', quantity),
  };
}

export const callRequestsCodec: Codec<readonly CallParameter[]> = {
  schema: arrayOf(callRequestCodec.schema),
  decode: (value) => {
    if (!Array.isArray(value)) {
      throw new InvalidParam(`json: cannot unmarshal ${jsonKind(value)} into Go value of type []${STRUCT}`);
    }
    return value.map((item) => callRequestCodec.decode(item));
  },
};
