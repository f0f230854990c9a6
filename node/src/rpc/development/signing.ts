import { parseJson } from '@chain/platform';
import { type TypedData, typedDataHash } from '../../keys/index.ts';
import { concatBytes, keccak256, signDigest, toHexData, utf8 } from '../../primitives/index.ts';
import { type Codec, jsonKind, optionalParam, param } from '../codec/codec.ts';
import { addressCodec, dataCodec } from '../codec/hexCodecs.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { InvalidParam } from '../rpcError.ts';
import { DATA } from '../schema/valueSchemas.ts';
import type { Development } from './development.ts';
import { developmentMethods } from './developmentMethod.ts';
import { NO_KEY } from './sending.ts';

const SIGNATURE = { result: DATA, errors: [NO_KEY] };

/** EIP-712's object, or its JSON as text: wallets send either. */
const typedDataCodec: Codec<TypedData> = {
  schema: {
    anyOf: [{ type: 'object', required: ['types', 'primaryType', 'domain', 'message'] }, { type: 'string' }],
    description: 'typed data of EIP-712, as an object or as JSON text',
  },
  decode: (value) => {
    const data = typeof value === 'string' ? parsed(value) : value;
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
    if (!isObject) throw new InvalidParam(`typed data is an object, not ${jsonKind(data)}`);
    for (const name of ['types', 'primaryType', 'domain', 'message']) {
      if (!(name in data)) throw new InvalidParam(`typed data lacks its member '${name}'`);
    }
    return data as TypedData;
  },
};

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new InvalidParam('typed data is no JSON text');
  }
}

/** EIP-191. */
function messageHash(message: Uint8Array): Uint8Array {
  return keccak256(concatBytes(utf8(`\x19Ethereum Signed Message:\n${message.length}`), message));
}

/** r, s and v (27 or 28). */
function signature(development: Development, address: Uint8Array, digest: Uint8Array): string {
  const { signature: rs, recoveryId } = signDigest(digest, development.keyOf(address));
  return toHexData(concatBytes(rs, Uint8Array.of(27 + recoveryId)));
}

export const SIGNING = [
  ...developmentMethods(['eth_sign'], {
    ...SIGNATURE,
    summary: 'Signs a message with a hosted key (EIP-191)',
    params: [param('address', addressCodec), param('message', dataCodec)],
    handle: ({ development }, [address, message]) => signature(development, address, messageHash(message)),
  }),
  ...developmentMethods(['personal_sign'], {
    ...SIGNATURE,
    summary:
      'Signs a message with a hosted key (EIP-191); the message comes first, and no password is needed',
    params: [
      param('message', dataCodec),
      param('address', addressCodec),
      optionalParam('password', stringCodec, undefined),
    ],
    handle: ({ development }, [message, address]) => signature(development, address, messageHash(message)),
  }),
  ...developmentMethods(['eth_signTypedData_v4'], {
    ...SIGNATURE,
    summary: 'Signs typed data with a hosted key (EIP-712)',
    params: [param('address', addressCodec), param('data', typedDataCodec)],
    handle: ({ development }, [address, data]) => signature(development, address, typedDataHash(data)),
  }),
];
