import { CodedError, isCodedError } from '@chain/platform';
import { bytesToHex, hexToBytes } from '../primitives/index.ts';

type JsonObject = Readonly<Record<string, unknown>>;

function invalid(path: string, problem: string, cause?: unknown): CodedError {
  return new CodedError('COMET_GENESIS_INVALID', `genesis.json: ${path} ${problem}`, {
    fields: { path },
    cause,
  });
}

/** Reads the members of one JSON object; every complaint names the path of the member. */
export class GenesisFields {
  readonly #object: JsonObject;
  readonly #path: string;

  /** `path` is '' for the document itself. */
  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalid(path || 'the document', 'must be an object');
    }
    this.#object = value as JsonObject;
    this.#path = path;
  }

  has(name: string): boolean {
    return this.#object[name] !== undefined && this.#object[name] !== null;
  }

  value(name: string): unknown {
    return this.#object[name];
  }

  path(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  fail(name: string, problem: string, cause?: unknown): never {
    throw invalid(this.path(name), problem, cause);
  }

  object(name: string): GenesisFields {
    return new GenesisFields(this.#object[name] ?? {}, this.path(name));
  }

  list(name: string): readonly unknown[] {
    const value = this.#object[name] ?? [];
    return Array.isArray(value) ? value : this.fail(name, 'must be a list');
  }

  text(name: string, absent?: string): string {
    const value = this.#object[name] ?? absent;
    return typeof value === 'string' ? value : this.fail(name, 'must be a string');
  }

  /** A 64-bit integer, which CometBFT writes as a string; `absent` stands in when there is none. */
  integer(name: string, absent?: bigint): bigint {
    if (!this.has(name) && absent !== undefined) return absent;
    const text = this.#object[name];
    if (
      typeof text !== 'string' ||
      !/^-?\d{1,19}$/.test(text) ||
      BigInt.asIntN(64, BigInt(text)) !== BigInt(text)
    ) {
      return this.fail(name, `must be a 64-bit integer in quotes, like "1", and is ${JSON.stringify(text)}`);
    }
    return BigInt(text);
  }

  hex(name: string): Uint8Array {
    const text = this.text(name, '');
    try {
      return hexToBytes(text);
    } catch (cause) {
      return this.fail(name, 'must be hex', isCodedError(cause) ? cause : undefined);
    }
  }

  /** Standard base64 of exactly `length` bytes. */
  base64(name: string, length: number): Uint8Array {
    const text = this.text(name);
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length !== length || bytes.toString('base64') !== text) {
      this.fail(
        name,
        `must be base64 of ${length} bytes, and is "${text.slice(0, 80)}" (${bytesToHex(bytes).length / 2} bytes)`,
      );
    }
    return bytes;
  }
}
