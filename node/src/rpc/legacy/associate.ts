import { wrapAssociation } from '../../evm/index.ts';
import { utf8 } from '../../primitives/index.ts';
import { type Codec, jsonKind, param } from '../codec/codec.ts';
import { REJECTED } from '../methodErrors.ts';
import { InvalidParam, RPC_CODE, serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { ref } from '../schema/jsonSchema.ts';

interface AssociateRequest {
  readonly v: Uint8Array;
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  readonly customMessage: string;
}

const MAX_MESSAGE_BYTES = 64;

const associateCodec: Codec<AssociateRequest> = {
  schema: ref('AssociateRequest'),
  decode: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new InvalidParam(
        `json: cannot unmarshal ${jsonKind(value)} into Go value of type evmrpc.AssociateRequest`,
      );
    }
    const members = value as Readonly<Record<string, unknown>>;
    return {
      v: hexMember(members, 'v'),
      r: hexMember(members, 'r'),
      s: hexMember(members, 's'),
      customMessage: textMember(members, 'custom_message'),
    };
  },
};

/** Hands in a free transaction that ties the signer's two addresses together (spec G-11). */
export const associate = rpcMethod({
  name: 'chain_associate',
  summary: 'Hands in a signature that associates the addresses of its signer; gives null',
  params: [param('request', associateCodec)],
  result: { type: 'null' },
  errors: [REJECTED, { code: RPC_CODE.server, message: 'custom message can have at most 64 characters' }],
  uses: ['mempool'],
  handle: async ({ mempool }, [{ v, r, s, customMessage }]) => {
    const message = utf8(customMessage);
    if (message.length > MAX_MESSAGE_BYTES) {
      throw serverError(`custom message can have at most ${MAX_MESSAGE_BYTES} characters`);
    }
    await mempool.add(wrapAssociation({ v, r, s, customMessage }));
    return null;
  },
});

/** Hex of any length, with or without 0x; numbers lose their leading zeros. */
function hexMember(members: Readonly<Record<string, unknown>>, name: string): Uint8Array {
  const digits = textMember(members, name).replace(/^0x/i, '');
  if (!/^[0-9a-f]{1,64}$/i.test(digits)) throw new InvalidParam(`${name} is not a hex number of 32 bytes`);
  const significant = digits.replace(/^0+/, '');
  return Buffer.from(significant.length % 2 === 1 ? `0${significant}` : significant, 'hex');
}

function textMember(members: Readonly<Record<string, unknown>>, name: string): string {
  const value = members[name];
  if (typeof value === 'string') return value;
  throw new InvalidParam(
    `json: cannot unmarshal ${jsonKind(value)} into Go struct field AssociateRequest.${name} of type string`,
  );
}
