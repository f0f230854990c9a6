import { arrayOf, type JsonSchema, objectOf, ref } from './jsonSchema.ts';
import { ADDRESS, DATA, HASH, QUANTITY } from './valueSchemas.ts';

const BASE64: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$', description: 'base64' };

/** Results of eth_getProof (spec R-17). */
export const PROOF_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ProofOp: {
    ...objectOf({ type: { enum: ['ics23:iavl', 'ics23:simple'] }, key: BASE64, data: BASE64 }),
    description: 'a step of a proof; `data` is an ICS-23 CommitmentProof as protobuf',
  },
  StorageProof: {
    ...objectOf({
      key: HASH,
      value: QUANTITY,
      proof: { ...arrayOf(DATA), maxItems: 0 },
      ops: { ...arrayOf(ref('ProofOp')), minItems: 2, maxItems: 2 },
    }),
    description:
      "`ops` lead from the key to the EVM store's root, and from there to the app hash; `proof` is always empty",
  },
  Proof: {
    ...objectOf({
      address: ADDRESS,
      balance: QUANTITY,
      nonce: QUANTITY,
      codeHash: HASH,
      storageHash: HASH,
      accountProof: { ...arrayOf(DATA), maxItems: 0 },
      hexValues: arrayOf(DATA),
      storageProof: arrayOf(ref('StorageProof')),
    }),
    description:
      'a value and a proof for each key, in their order; an absent value is `0x`. `balance`, `nonce` and `codeHash` are not proven; `storageHash` is zero, and `accountProof` empty',
  },
};
