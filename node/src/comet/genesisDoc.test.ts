import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../primitives/index.ts';
import { formatGenesisDoc, genesisHash } from './genesisDoc.ts';
import { parseGenesisDoc } from './parseGenesisDoc.ts';

// Written by CometBFT v0.38.17's `GenesisDoc.SaveAs`.
const GENESIS = `{
  "genesis_time": "2024-03-01T12:30:15.123456789Z",
  "chain_id": "chain-local-1",
  "initial_height": "1",
  "consensus_params": {
    "block": {
      "max_bytes": "22020096",
      "max_gas": "-1"
    },
    "evidence": {
      "max_age_num_blocks": "100000",
      "max_age_duration": "172800000000000",
      "max_bytes": "1048576"
    },
    "validator": {
      "pub_key_types": [
        "ed25519"
      ]
    },
    "version": {
      "app": "0"
    },
    "abci": {
      "vote_extensions_enable_height": "0"
    }
  },
  "validators": [
    {
      "address": "8A5875C75081AEFB603A23178350AE4542803C24",
      "pub_key": {
        "type": "tendermint/PubKeyEd25519",
        "value": "aEGZsyYzpXlkWwz7+oDPth4/iwL+oovVnTqz2VeWBdg="
      },
      "power": "10",
      "name": "me"
    }
  ],
  "app_hash": "",
  "app_state": {
    "a": 1
  }
}
`;

type Json = Record<string, unknown>;
/** The document with one member changed; `path` is dotted. */
function changed(path: string, value: unknown): string {
  const document = JSON.parse(GENESIS) as Json;
  const names = path.split('.');
  const last = names.pop()!;
  const parent = names.reduce((object, name) => object[name] as Json, document);
  parent[last] = value;
  return JSON.stringify(document);
}

describe('genesis document', () => {
  it('reads what CometBFT wrote and writes the same again', () => {
    const doc = parseGenesisDoc(GENESIS);
    expect(doc).toMatchObject({ chainId: 'chain-local-1', initialHeight: 1, appState: { a: 1 } });
    expect(doc.consensusParams.block).toEqual({ maxBytes: 22_020_096n, maxGas: -1n });
    expect(doc.validators[0]).toMatchObject({ power: 10n, name: 'me' });
    expect(formatGenesisDoc(doc)).toBe(GENESIS);
  });

  it('fills in what may be absent', () => {
    const doc = parseGenesisDoc('{"genesis_time":"2024-03-01T12:30:15Z","chain_id":"c"}');
    expect(doc).toMatchObject({ initialHeight: 1, validators: [], appState: undefined });
    expect(doc.consensusParams.validator.pubKeyTypes).toEqual(['ed25519']);
    expect(doc.appHash).toHaveLength(0);
  });

  it.each([
    ['chain_id', '', /chain_id must have 1 to 50 characters/],
    ['chain_id', 5, /chain_id must be a string/],
    ['initial_height', 1, /initial_height must be a 64-bit integer in quotes/],
    ['initial_height', '-1', /initial_height must be 1 or more/],
    ['genesis_time', 'now', /genesis_time must be an RFC 3339 time/],
    ['app_hash', 'xyz', /app_hash must be hex/],
    ['consensus_params.block.max_bytes', '0', /consensus_params.block.max_bytes must be -1 or/],
    ['consensus_params.block.max_gas', '99999999999999999999', /max_gas must be a 64-bit integer/],
    ['validators.0.power', '0', /validators\[0\].power must be above 0/],
    ['validators.0.address', 'AA', /validators\[0\].address is not the address of pub_key, 8A5875/],
    ['validators.0.pub_key.value', 'aEGZ', /pub_key.value must be base64 of 32 bytes/],
    ['validators.0.pub_key.type', 'secp', /pub_key.type must be "tendermint\/PubKeyEd25519"/],
    ['validators', {}, /validators must be a list/],
  ])('refuses %s = %j', (path, value, message) => {
    expect(() => parseGenesisDoc(changed(path, value))).toThrowError(message);
  });

  it('refuses what is no JSON object', () => {
    expect(() => parseGenesisDoc('{')).toThrowError(/not JSON/);
    expect(() => parseGenesisDoc('[]')).toThrowError(/the document must be an object/);
  });

  it('fails only with its own error, whatever the value', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('chain_id', 'initial_height', 'validators', 'app_hash'),
        fc.jsonValue(),
        (path, value) => {
          try {
            parseGenesisDoc(changed(path, value));
          } catch (error) {
            expect(error).toMatchObject({ code: 'COMET_GENESIS_INVALID' });
          }
        },
      ),
    );
  });

  it('hashes the file for block 0', () => {
    expect(bytesToHex(genesisHash(new TextEncoder().encode('abc')))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
