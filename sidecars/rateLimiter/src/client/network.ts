import { type IpBytes, parseIp, sharePrefix } from '@chain/platform';

const BITS = /^\d{1,3}$/;

/** An address, or a network such as `10.0.0.0/8`. */
export class Network {
  readonly #base: IpBytes;
  readonly #bits: number;

  private constructor(base: IpBytes, bits: number) {
    this.#base = base;
    this.#bits = bits;
  }

  /** `undefined` when the text is no network. */
  static parse(text: string): Network | undefined {
    const slash = text.indexOf('/');
    const base = parseIp(slash === -1 ? text : text.slice(0, slash));
    if (!base) return undefined;
    if (slash === -1) return new Network(base, base.length * 8);
    const bits = text.slice(slash + 1);
    return BITS.test(bits) && Number(bits) <= base.length * 8 ? new Network(base, Number(bits)) : undefined;
  }

  has(address: IpBytes): boolean {
    return sharePrefix(this.#base, address, this.#bits);
  }
}
