import { bytesToHex } from '../../../node/src/primitives/index.ts';

/** A value as text, bytes of any class as hex. */
export function shown(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name, member: unknown) {
    if (typeof member === 'bigint') return `${member}n`;
    const own = this[name];
    return own instanceof Uint8Array ? bytesToHex(own) : member;
  });
}
