import type { CallRequest } from '../../execution/index.ts';
import { InvalidParam, serverError } from '../rpcError.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { type Codec, jsonKind } from './codec.ts';
import { addressAt, addressCodec, dataAt, type GoPlace, hashCodec, quantityAt } from './hexCodecs.ts';
import { memberOf, ObjectFields } from './objectFields.ts';

/** A call object and the chain id that it may name. */
export interface CallParameter extends CallRequest {
  readonly chainId: bigint | undefined;
  /** It carries blobs: a call runs without them, a transaction cannot be made of it. */
  readonly hasBlobs: boolean;
}

const STRUCT = 'ethapi.TransactionArgs';
const quantity = (place: GoPlace) => quantityAt(256, place);
const uint64 = (place: GoPlace) => quantityAt(64, place);

const member = <T>(name: string, at: (place: GoPlace) => Codec<T>): Codec<T> => at(memberOf(STRUCT, name));
const MEMBERS = {
  from: member('from', addressAt),
  to: member('to', addressAt),
  gas: member('gas', uint64),
  gasPrice: member('gasPrice', quantity),
  maxFeePerGas: member('maxFeePerGas', quantity),
  maxPriorityFeePerGas: member('maxPriorityFeePerGas', quantity),
  value: member('value', quantity),
  nonce: member('nonce', uint64),
  input: member('input', dataAt),
  data: member('data', dataAt),
  chainId: member('chainId', quantity),
};

/** The call object of `eth_call` and `eth_estimateGas`; `input` wins over `data` (spec R-13). */
export const callRequestCodec: Codec<CallParameter> = {
  schema: ref('CallRequest'),
  decode: (value) => {
    const fields = new ObjectFields(value, STRUCT);
    const request = {
      from: fields.member('from', MEMBERS.from),
      to: fields.member('to', MEMBERS.to),
      gas: fields.member('gas', MEMBERS.gas),
      gasPrice: fields.member('gasPrice', MEMBERS.gasPrice),
      maxFeePerGas: fields.member('maxFeePerGas', MEMBERS.maxFeePerGas),
      maxPriorityFeePerGas: fields.member('maxPriorityFeePerGas', MEMBERS.maxPriorityFeePerGas),
      value: fields.member('value', MEMBERS.value),
      nonce: fields.member('nonce', MEMBERS.nonce),
      data: fields.member('input', MEMBERS.input) ?? fields.member('data', MEMBERS.data),
      accessList: fields.list('accessList', accessListEntry),
      authorizationList: fields.list('authorizationList', authorization),
      chainId: fields.member('chainId', MEMBERS.chainId),
      hasBlobs: fields.has('blobVersionedHashes') || fields.has('blobs'),
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
