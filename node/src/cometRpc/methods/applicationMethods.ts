import { type CometMethod, cometMethod } from '../cometMethod.ts';
import { base64OrNull } from '../json/values.ts';
import { evidence } from '../params/evidence.ts';
import { boolean, hex, integer, text } from '../params/paramKinds.ts';
import { rpcFailure } from '../rpcFailure.ts';

export const applicationMethods: readonly CometMethod[] = [
  cometMethod({
    name: 'abci_info',
    summary: 'The application, its newest height and app hash',
    params: {},
    handle: (_params, { deps: { application, genesis, chain } }) => ({
      response: {
        data: application.name,
        version: application.release,
        app_version: String(genesis.consensusParams.version.app),
        last_block_height: String(chain.height),
        last_block_app_hash: base64OrNull(chain.appHash),
      },
    }),
  }),
  cometMethod({
    name: 'abci_query',
    summary: 'Asks the application: `/store/evm/key` for a key of a store, or a gRPC method by its path',
    params: { path: text, data: hex, height: integer, prove: boolean },
    handle: async ({ path, data, height, prove }, { deps }) => {
      const answer = await deps.queries.answerAbci({ path, data, height, prove });
      return {
        response: {
          code: answer.code,
          log: answer.log,
          info: '',
          index: '0',
          key: base64OrNull(answer.key),
          value: base64OrNull(answer.value),
          proofOps: answer.proof
            ? {
                ops: answer.proof.map(({ type, key, data: op }) => ({
                  type,
                  key: base64OrNull(key),
                  data: base64OrNull(op),
                })),
              }
            : null,
          height: String(answer.height),
          codespace: answer.codespace,
        },
      };
    },
  }),
  cometMethod({
    name: 'broadcast_evidence',
    summary: 'Takes evidence of misbehaviour; a chain with a single validator has no use for it',
    params: { evidence },
    handle: ({ evidence: given }) => {
      if (!given) throw rpcFailure('no evidence was provided');
      throw rpcFailure(
        'failed to add evidence: the embedded engine is the only validator and takes no evidence against itself',
      );
    },
  }),
];
