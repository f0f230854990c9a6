/** A type of the contract ABI. */
export type AbiType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'address' | 'bool' | 'string' | 'bytes' }
  | { readonly kind: 'array'; readonly of: AbiType }
  | { readonly kind: 'tuple'; readonly members: readonly AbiParameter[] };

export interface AbiParameter {
  readonly name: string;
  readonly type: AbiType;
  /** Of an event: a topic. */
  readonly indexed: boolean;
}

/** An address is 20 bytes, a number a bigint; arrays and tuples are lists. */
export type AbiValue = bigint | boolean | string | Uint8Array | readonly AbiValue[];

/** Whether the value stands behind the heads, which then hold its offset. */
export function isDynamic(type: AbiType): boolean {
  if (type.kind === 'tuple') return type.members.some((member) => isDynamic(member.type));
  return type.kind === 'string' || type.kind === 'bytes' || type.kind === 'array';
}

/** Words that a value takes among the heads. */
export function headWords(type: AbiType): number {
  if (type.kind !== 'tuple' || isDynamic(type)) return 1;
  return type.members.reduce((sum, member) => sum + headWords(member.type), 0);
}

/** As it stands in a signature that is hashed: `(uint256,string)[]`. */
export function typeText(type: AbiType): string {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return `${type.kind}${type.bits}`;
    case 'array':
      return `${typeText(type.of)}[]`;
    case 'tuple':
      return `(${type.members.map((member) => typeText(member.type)).join(',')})`;
    default:
      return type.kind;
  }
}
