import { CodedError } from '@chain/platform';
import { TypedDataEncoder, type TypedDataField } from 'ethers';
import { hexToBytes } from '../primitives/index.ts';

/** Typed data as wallets are given it (EIP-712). */
export interface TypedData {
  readonly types: Readonly<Record<string, readonly TypedDataField[]>>;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}

/** The 32 bytes that are signed. Throws KEYS_TYPED_DATA_INVALID. */
export function typedDataHash({ types, primaryType, domain, message }: TypedData): Uint8Array {
  try {
    const used = typesOf(primaryType, types);
    return hexToBytes(TypedDataEncoder.hash(domain, used, message));
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('KEYS_TYPED_DATA_INVALID', `typed data cannot be hashed: ${detail}`, {
      fields: { primaryType: String(primaryType) },
      cause,
    });
  }
}

/** The primary type and what it is made of: the encoder refuses types that nothing uses. */
function typesOf(primaryType: string, types: TypedData['types']): Record<string, TypedDataField[]> {
  const used: Record<string, TypedDataField[]> = {};
  const visit = (name: string): void => {
    const fields = types[name];
    if (!fields || name in used) return;
    used[name] = [...fields];
    for (const { type } of fields) visit(type.replace(/(\[\d*\])+$/, ''));
  };
  visit(primaryType);
  return used;
}
