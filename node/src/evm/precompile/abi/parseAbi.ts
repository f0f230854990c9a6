import assert from 'node:assert';
import { keccak256, utf8 } from '../../../primitives/index.ts';
import { type AbiParameter, type AbiType, typeText } from './abiType.ts';

export type Mutability = 'pure' | 'view' | 'nonpayable' | 'payable';

export interface AbiFunction {
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
  readonly mutability: Mutability;
  /** 4 bytes. */
  readonly selector: Uint8Array;
}

export interface AbiEvent {
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  /** topic0, 32 bytes. */
  readonly topic: Uint8Array;
}

/** Reads `balance(address acc, string denom) view returns (uint256 amount)`; a mistake is one of this program. */
export function parseFunction(text: string): AbiFunction {
  const reader = new Reader(text);
  const name = reader.word();
  const inputs = reader.parameters();
  const mutability = reader.word() as Mutability;
  const outputs = reader.word() === 'returns' ? reader.parameters() : [];
  return { name, inputs, outputs, mutability, selector: hashOf(name, inputs).subarray(0, 4) };
}

/** Reads `Delegate(address indexed delegator, string validator, uint256 amount)`. */
export function parseEvent(text: string): AbiEvent {
  const reader = new Reader(text);
  const name = reader.word();
  const inputs = reader.parameters();
  return { name, inputs, topic: hashOf(name, inputs) };
}

function hashOf(name: string, inputs: readonly AbiParameter[]): Uint8Array {
  return keccak256(utf8(`${name}${typeText({ kind: 'tuple', members: inputs })}`));
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(/\w+|[(),[\]]/g) ?? [];
  }

  /** The next name; '' when something else comes. */
  word(): string {
    return /^\w+$/.test(this.#tokens[this.#at] ?? '') ? this.#tokens[this.#at++]! : '';
  }

  parameters(): AbiParameter[] {
    const parameters: AbiParameter[] = [];
    this.#expect('(');
    while (!this.#takes(')')) {
      if (parameters.length > 0) this.#expect(',');
      const type = this.#type();
      const indexed = this.#takes('indexed');
      parameters.push({ name: this.word(), type, indexed });
    }
    return parameters;
  }

  #type(): AbiType {
    let type: AbiType =
      this.#tokens[this.#at] === '('
        ? { kind: 'tuple', members: this.parameters() }
        : elementary(this.word());
    while (this.#takes('[')) {
      this.#expect(']');
      type = { kind: 'array', of: type };
    }
    return type;
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    assert(this.#takes(token), `${token} is missing before ${this.#tokens[this.#at]}`);
  }
}

function elementary(name: string): AbiType {
  if (name === 'address' || name === 'bool' || name === 'string' || name === 'bytes') return { kind: name };
  const [, kind, bits] = /^(u?int)(\d+)$/.exec(name) ?? [];
  assert(kind === 'uint' || kind === 'int', `${name} is no type of this ABI`);
  return { kind, bits: Number(bits) };
}
