import type { ParamType } from 'ethers';

/** A value of the contract ABI, ready to be shown: `text` is cut where it is too long for a page. */
export interface DecodedValue {
  readonly name: string;
  readonly type: string;
  readonly text: string;
  /** Set where the value is an account. */
  readonly address?: string;
}

const MAX_CHARACTERS = 1000;
const MAX_ITEMS = 64;

export function decodedValue(parameter: ParamType, value: unknown): DecodedValue {
  const { name, type } = parameter;
  const shown = textOf(parameter, value);
  const text = shown.length > MAX_CHARACTERS ? `${shown.slice(0, MAX_CHARACTERS)}…` : shown;
  return { name, type, text, ...(type === 'address' && { address: text }) };
}

function textOf(parameter: ParamType, value: unknown): string {
  if (value !== null && typeof value === 'object' && !('hash' in value)) {
    const items = [...(value as Iterable<unknown>)];
    const texts = items.slice(0, MAX_ITEMS).map((item, i) => {
      const member = parameter.components?.[i];
      const of = parameter.arrayChildren ?? member;
      return `${member?.name ? `${member.name}: ` : ''}${of ? textOf(of, item) : ''}`;
    });
    if (items.length > MAX_ITEMS) texts.push(`… ${items.length - MAX_ITEMS} more`);
    return parameter.arrayChildren ? `[${texts.join(', ')}]` : `(${texts.join(', ')})`;
  }
  // An indexed value that is no word is on the chain as its hash only.
  if (value !== null && typeof value === 'object') return `hash ${String((value as { hash: unknown }).hash)}`;
  return typeof value === 'string' && parameter.type === 'string' ? JSON.stringify(value) : String(value);
}
