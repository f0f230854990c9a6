import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig';
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys';
import { SignatureDescriptors } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing';
import type { SignerData } from '../../ledger/index.ts';
import { equalBytes, sha256, signDigest, verifyDigest } from '../../primitives/index.ts';
import type { ProtoSchema } from '../../proto/index.ts';
import { clientErrors } from '../clientErrors.ts';
import { type MultisigKey, modeNumber, multisigSignerInfo, packedKey } from './signerInfos.ts';
import { aminoBytes, type Signing, withSignature, withSignerInfo } from './signTransaction.ts';

const DESCRIPTORS = 'cosmos.tx.signing.v1beta1.SignatureDescriptors';

/** One member's signature for the account of several keys, as the SDK's tools write it to files. */
export function memberSignatureJson(raw: Uint8Array, signing: Signing, schema: ProtoSchema): unknown {
  const { privateKey, publicKey, sequence } = signing;
  const { signature } = signDigest(sha256(aminoBytes(raw, signing)), privateKey);
  const data = { single: { mode: modeNumber('amino-json'), signature } };
  const signatures = [{ publicKey: packedKey(publicKey), data, sequence }];
  return schema.toJson(DESCRIPTORS, SignatureDescriptors.encode({ signatures }).finish());
}

/** A member's signature out of such a file. */
export interface MemberSignature {
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
  /** The file, for messages. */
  readonly from: string;
}

/** Throws CLIENT_SIGNATURE_FILE naming the file. */
export function memberSignatures(text: string, from: string, schema: ProtoSchema): MemberSignature[] {
  let signatures: SignatureDescriptors['signatures'];
  try {
    ({ signatures } = SignatureDescriptors.decode(schema.fromJson(DESCRIPTORS, text)));
  } catch (cause) {
    throw clientErrors.signatureFile(from, 'it wants what "chaind tx sign --multisig" prints', cause);
  }
  return signatures.map(({ publicKey, data }) => {
    if (data?.single?.mode !== modeNumber('amino-json') || publicKey?.typeUrl !== PubKey.typeUrl) {
      throw clientErrors.signatureFile(from, 'members of a multisig sign in amino-json, with secp256k1 keys');
    }
    return { publicKey: PubKey.decode(publicKey.value).key, signature: data.single.signature, from };
  });
}

/**
 * `TxRaw` bytes with the signatures of members joined to the one of their account. Throws CLIENT_SIGNATURE_FILE for
 * one that is not a member's or does not fit, and CLIENT_TOO_FEW_SIGNATURES.
 */
export function joinSignatures(
  raw: Uint8Array,
  { key, signer }: { readonly key: MultisigKey; readonly signer: SignerData },
  given: readonly MemberSignature[],
): Uint8Array {
  const digest = sha256(aminoBytes(raw, signer));
  const placed = new Map<number, Uint8Array>();
  for (const { publicKey, signature, from } of given) {
    const place = key.publicKeys.findIndex((member) => equalBytes(member, publicKey));
    if (place === -1) throw clientErrors.signatureFile(from, 'its key is no member of the multisig');
    if (signature.length !== 64 || !verifyDigest(digest, publicKey, signature)) {
      const bound = `account number ${signer.accountNumber}, sequence ${signer.sequence}, chain id ${signer.chainId}`;
      throw clientErrors.signatureFile(from, `it does not sign this transaction with ${bound}`);
    }
    placed.set(place, signature);
  }
  if (placed.size < key.threshold) throw clientErrors.tooFewSignatures(placed.size, key.threshold);
  const places = [...placed.keys()].sort((a, b) => a - b);
  const unsigned = withSignerInfo(raw, multisigSignerInfo(key, signer.sequence, places));
  const signatures = places.map((place) => placed.get(place)!);
  return withSignature(unsigned, MultiSignature.encode({ signatures }).finish());
}
