import { throwIfResource } from '@chain/platform';
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig';
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing';
import type { ModeInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { sha256, verifyDigest } from '../../primitives/index.ts';
import { isLedgerError } from '../ledgerError.ts';
import { decodeMessage } from '../protoMessage.ts';
import type { LedgerTransaction } from './decodeTransaction.ts';
import { requireKnownFields } from './knownFields.ts';
import { MULTI_SIGNATURE } from './messageShapes.ts';
import type { AccountKey } from './publicKey.ts';
import { aminoSignBytes, directSignBytes, type SignerData } from './signBytes.ts';

interface Signed {
  readonly transaction: LedgerTransaction;
  readonly signer: SignerData;
}

/** Whether the signature is the key's, in the mode that it names. */
export function isSignatureOf(
  key: AccountKey,
  { mode, signature }: { readonly mode: ModeInfo | undefined; readonly signature: Uint8Array },
  signed: Signed,
): boolean {
  if (!mode) return false;
  if (key.kind === 'single') return isSingleSignature(key.key, { mode, signature }, signed);
  const members = mode.multi && signingMembers(key, mode.multi);
  if (!members) return false;
  const signatures = signaturesOf(signature);
  if (signatures?.length !== members.length) return false;
  return members.every((member, i) =>
    isSingleSignature(member.key, { mode: member.mode, signature: signatures[i]! }, signed),
  );
}

/** `undefined` for bytes that are no list of signatures. */
function signaturesOf(bytes: Uint8Array): Uint8Array[] | undefined {
  try {
    requireKnownFields(bytes, MULTI_SIGNATURE, 'refused');
    return decodeMessage(MultiSignature, bytes, MULTI_SIGNATURE.name).signatures;
  } catch (error) {
    if (!isLedgerError(error)) throw error;
    return undefined;
  }
}

/** What the curve is asked of a single key's signature; `undefined` for one that is none in any case. */
export function singleSignature(
  publicKey: Uint8Array,
  { mode, signature }: { readonly mode: ModeInfo; readonly signature: Uint8Array },
  { transaction, signer }: Signed,
):
  | { readonly digest: Uint8Array; readonly publicKey: Uint8Array; readonly signature: Uint8Array }
  | undefined {
  if (signature.length !== 64) return undefined;
  const bytes = signBytesOf(mode.single?.mode, transaction, signer);
  return bytes && { digest: sha256(bytes), publicKey, signature };
}

function isSingleSignature(
  key: Uint8Array,
  given: { readonly mode: ModeInfo; readonly signature: Uint8Array },
  signed: Signed,
): boolean {
  const asked = singleSignature(key, given, signed);
  if (!asked) return false;
  try {
    return verifyDigest(asked.digest, asked.publicKey, asked.signature);
  } catch (error) {
    throwIfResource(error);
    // Numbers outside the curve's order.
    return false;
  }
}

function signBytesOf(mode: SignMode | undefined, transaction: LedgerTransaction, signer: SignerData) {
  if (mode === SignMode.SIGN_MODE_DIRECT) return directSignBytes(transaction, signer);
  // Unsigned fields would let anybody change the transaction's hash.
  if (mode !== SignMode.SIGN_MODE_LEGACY_AMINO_JSON || transaction.hasUnknownFields) return undefined;
  return aminoSignBytes(transaction, signer);
}

/** The keys whose bits are set, with their modes; `undefined` when they are too few or the modes do not fit. */
function signingMembers(
  { keys, threshold }: Extract<AccountKey, { kind: 'multi' }>,
  { bitarray, modeInfos }: NonNullable<ModeInfo['multi']>,
): { key: Uint8Array; mode: ModeInfo }[] | undefined {
  if (!bitarray) return undefined;
  const { elems, extraBitsStored } = bitarray;
  const bits = extraBitsStored === 0 ? elems.length * 8 : (elems.length - 1) * 8 + extraBitsStored;
  if (bits !== keys.length) return undefined;
  const signing = keys.filter((_key, i) => ((elems[i >> 3]! >> (7 - (i & 7))) & 1) === 1);
  if (signing.length < threshold || signing.length !== modeInfos.length) return undefined;
  return signing.map((key, i) => ({ key, mode: modeInfos[i]! }));
}
