import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys';
import { SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import type { Any } from 'cosmjs-types/google/protobuf/any';
import { ProtobufWriter } from '../../../node/src/evm/envelope/protobuf.ts';
import type { TestAccount } from '../../../node/src/execution/testChain.fixture.ts';
import { concatBytes, sha256, signDigest } from '../../../node/src/primitives/index.ts';
import { lengthDelimited } from './protobufDamage.ts';

const NO_BYTES = new Uint8Array(0);
/** `ModeInfo`s: one direct signature, and one of the first of two members. */
export const DIRECT = lengthDelimited(1, new ProtobufWriter().varint(1, 1n).finish());
const FIRST_OF_TWO = new ProtobufWriter().varint(1, 2n).bytes(2, Uint8Array.of(0x80)).finish();
export const MULTI = lengthDelimited(
  2,
  concatBytes(lengthDelimited(1, FIRST_OF_TWO), lengthDelimited(2, DIRECT)),
);
const FEE = new ProtobufWriter()
  .message(1, new ProtobufWriter().string(1, 'usei').string(2, '3000').finish())
  .varint(2, 1_000_000n)
  .finish();

/** Who signs, and where its account stands. */
export interface LedgerSigner {
  readonly seed: number;
  readonly key: TestAccount;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

interface SignedParts {
  readonly body: Uint8Array;
  readonly authInfo: Uint8Array;
  readonly signer: LedgerSigner;
}

/** What a transaction is made of; each part may be any bytes, and all of it is signed. */
interface Made {
  readonly messages: readonly Any[];
  readonly publicKey?: Any;
  readonly modeInfo?: Uint8Array;
  readonly moreBody?: Uint8Array;
  readonly moreAuthInfo?: Uint8Array;
  /** Nobody signs what stands behind the parts. */
  readonly moreRaw?: Uint8Array;
  readonly sign?: (parts: SignedParts) => Uint8Array;
}

export function signedBy(signer: LedgerSigner, made: Made): Uint8Array {
  const { messages, modeInfo = DIRECT, moreBody = NO_BYTES, moreAuthInfo = NO_BYTES } = made;
  const body = concatBytes(TxBody.encode(TxBody.fromPartial({ messages: [...messages] })).finish(), moreBody);
  const { typeUrl, value } = made.publicKey ?? {
    typeUrl: PubKey.typeUrl,
    value: PubKey.encode({ key: signer.key.publicKey }).finish(),
  };
  const info = new ProtobufWriter()
    .message(1, new ProtobufWriter().string(1, typeUrl).bytes(2, value).finish())
    .message(2, modeInfo)
    .varint(3, signer.sequence)
    .finish();
  const authInfo = concatBytes(lengthDelimited(1, info), lengthDelimited(2, FEE), moreAuthInfo);
  const signature = (made.sign ?? memberSignature)({ body, authInfo, signer });
  return concatBytes(txRaw({ body, authInfo, signature }), made.moreRaw ?? NO_BYTES);
}

export function txRaw(parts: {
  readonly body: Uint8Array;
  readonly authInfo: Uint8Array;
  readonly signature?: Uint8Array;
}): Uint8Array {
  const raw = new ProtobufWriter().bytes(1, parts.body).bytes(2, parts.authInfo);
  return (parts.signature ? raw.message(3, parts.signature) : raw).finish();
}

export function memberSignature({ body, authInfo, signer }: SignedParts): Uint8Array {
  const { accountNumber, key } = signer;
  const document = { bodyBytes: body, authInfoBytes: authInfo, chainId: 'chain-local-1', accountNumber };
  return signDigest(sha256(SignDoc.encode(document).finish()), key.privateKey).signature;
}
