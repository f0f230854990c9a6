import { invalidParams } from '../rpcFailure.ts';
import { goKind, parseGoJson } from './goJson.ts';
import type { ParamKind } from './paramKinds.ts';

const TYPES: readonly unknown[] = [
  'tendermint/DuplicateVoteEvidence',
  'tendermint/LightClientAttackEvidence',
];

/** CometBFT's evidence, `{type, value}`. */
export const evidence: ParamKind<object | undefined> = {
  name: 'evidence',
  absent: undefined,
  fromJson: (value) => {
    if (value === null) return undefined;
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw invalidParams(
        `json: cannot unmarshal ${goKind(value)} into Go value of type json.interfaceWrapper`,
      );
    }
    const { type } = value as { readonly type?: unknown };
    if (!TYPES.includes(type))
      throw invalidParams(`no type registered for wrapped value ${JSON.stringify(type)}`);
    return value;
  },
  fromUri: (text) => evidence.fromJson(parseGoJson(text)),
};
