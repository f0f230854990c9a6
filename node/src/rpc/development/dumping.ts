import { gunzipSync, gzipSync } from 'node:zlib';
import { messageOf, parseJson } from '@chain/platform';
import { dumpedAccounts, type StateEdit } from '../../evm/index.ts';
import { padLeft, toHexData, toHexQuantity } from '../../primitives/index.ts';
import { type Codec, optionalParam, param } from '../codec/codec.ts';
import { dataCodec } from '../codec/hexCodecs.ts';
import { booleanCodec } from '../codec/plainCodecs.ts';
import { InvalidParam } from '../rpcError.ts';
import { BOOLEAN, DATA } from '../schema/valueSchemas.ts';
import { developmentMethods } from './developmentMethod.ts';
import { numberCodec } from './numberCodec.ts';

/** An account as anvil writes it. */
interface AccountJson {
  readonly nonce: number | string;
  readonly balance: string;
  readonly code: string;
  readonly storage: Readonly<Record<string, string>>;
}

const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
/** A state that a development node would hold; more is a mistake, or an attack by a file. */
const MAX_STATE_BYTES = 512 << 20;

/** gzip of anvil's JSON, or the JSON itself; gives the edits that make its accounts. */
const stateCodec: Codec<readonly StateEdit[]> = {
  schema: { ...dataCodec.schema, description: 'gzip of the JSON that anvil_dumpState makes' },
  decode: (value) => editsOf(unpacked(dataCodec.decode(value))),
};

export const DUMPING = [
  ...developmentMethods(['anvil_dumpState'], {
    summary:
      'Every account with its nonce, balance, code and storage, in the form of anvil; blocks are not in it',
    // States of older blocks are not accounts of now: asked for or not, they are not there.
    params: [optionalParam('preserveHistoricalStates', booleanCodec, false)],
    result: DATA,
    uses: ['chain'],
    handle: ({ chain }) => {
      const accounts: Record<string, AccountJson> = {};
      for (const { address, nonce, wei, code, storage } of dumpedAccounts(chain.newestState)) {
        accounts[toHexData(address)] = {
          nonce: Number(nonce),
          balance: toHexQuantity(wei),
          code: toHexData(code),
          storage: Object.fromEntries(storage.map((pair) => pair.map(toHexData) as [string, string])),
        };
      }
      const none = { block: null, best_block_number: null, blocks: [], transactions: [] };
      const json = JSON.stringify({ ...none, accounts, historical_states: null });
      return toHexData(gzipSync(json));
    },
  }),
  ...developmentMethods(['anvil_loadState'], {
    summary:
      'Sets the accounts that anvil_dumpState gave, here or of anvil, in a block of its own; other accounts stay, and blocks are not taken over',
    params: [param('state', stateCodec)],
    result: BOOLEAN,
    handle: async ({ development }, [edits]) => {
      if (edits.length > 0) await development.controls.edit(...edits);
      return true;
    },
  }),
];

function unpacked(bytes: Uint8Array): unknown {
  try {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const json = isPacked ? gunzipSync(bytes, { maxOutputLength: MAX_STATE_BYTES }) : bytes;
    return parseJson(json);
  } catch (error) {
    throw new InvalidParam(`no state of anvil_dumpState: ${messageOf(error)}`);
  }
}

function editsOf(state: unknown): StateEdit[] {
  const accounts = isObject(state) ? state.accounts : undefined;
  if (!isObject(accounts)) throw new InvalidParam('no state of anvil_dumpState: it has no "accounts"');
  return Object.entries(accounts).flatMap(([name, account]) => {
    if (!isObject(account)) throw new InvalidParam(`account ${name} is no object`);
    const { nonce = 0, balance = '0x0', code = '0x', storage = {} } = account as Partial<AccountJson>;
    const address = bytesAt(name, ADDRESS_BYTES);
    return [
      { kind: 'balance', address, wei: numberCodec.decode(balance) },
      { kind: 'nonce', address, nonce: numberCodec.decode(nonce) },
      ...(code === '0x' ? [] : [{ kind: 'code' as const, address, code: dataCodec.decode(code) }]),
      ...Object.entries(storage).map(([slot, word]) => ({
        kind: 'storage' as const,
        address,
        slot: bytesAt(slot, WORD_BYTES),
        word: bytesAt(word, WORD_BYTES),
      })),
    ];
  });
}

/** Short ones are numbers. */
function bytesAt(text: string, length: number): Uint8Array {
  const digits = text.replace(/^0x/, '');
  const bytes = dataCodec.decode(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`);
  if (bytes.length > length) throw new InvalidParam(`"${text}" has more than ${length} bytes`);
  return padLeft(bytes, length);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
