import { consensusAddress } from '../../comet/index.ts';
import type { BlockTime } from '../../types/index.ts';
import type { CometDeps } from '../cometDeps.ts';
import { type CometMethod, cometMethod } from '../cometMethod.ts';
import { consensusParamsJson } from '../json/paramsJson.ts';
import { validatorJson } from '../json/validatorJson.ts';
import { type Json, timeJson, upperHex } from '../json/values.ts';
import { optionalInteger } from '../params/paramKinds.ts';
import { pageOf } from '../search/pages.ts';
import { resolveHeight } from './heights.ts';

const STEP_NEW_HEIGHT = 1;

/** The votes of a round in which nobody has voted. */
function noVotes(power: bigint): Json {
  const bits = `BA{1:_} 0/${power} = 0.00`;
  return {
    round: 0,
    prevotes: ['nil-Vote'],
    prevotes_bit_array: bits,
    precommits: ['nil-Vote'],
    precommits_bit_array: bits,
  };
}

/** Between two blocks, where this engine always is when it can be asked. */
function roundOf({ chain, consensus }: CometDeps) {
  const height = chain.nextHeight;
  const validators = consensus.validatorsAt(height);
  const [proposer] = validators;
  const time: BlockTime = chain.lastRecord?.block.header.time ?? { seconds: 0n, nanos: 0 };
  return {
    height,
    validators,
    proposer: proposer!,
    power: validators.reduce((sum, validator) => sum + validator.power, 0n),
    time: timeJson(time),
  };
}

function lastCommitJson({ consensus }: CometDeps): Json {
  const { height, round, blockId, signatures } = consensus.lastCommit;
  const power = consensus.validatorsAt(height).reduce((sum, validator) => sum + validator.power, 0n);
  const short = (bytes: Uint8Array): string => upperHex(bytes.subarray(0, 6));
  return {
    votes: signatures.map(
      ({ validatorAddress, signature, time }, index) =>
        `Vote{${index}:${short(validatorAddress)} ${height}/${String(round).padStart(2, '0')}/SIGNED_MSG_TYPE_PRECOMMIT(Precommit) ${short(blockId.hash)} ${short(signature)} 000000000000 @ ${timeJson(time)}}`,
    ),
    votes_bit_array: `BA{${signatures.length}:${'x'.repeat(signatures.length)}} ${power}/${power} = 1.00`,
    peer_maj_23s: {},
  };
}

export const consensusMethods: readonly CometMethod[] = [
  cometMethod({
    name: 'validators',
    summary: 'Who signs the block of a height, by voting power; the next block without a height',
    params: { height: optionalInteger, page: optionalInteger, per_page: optionalInteger },
    cacheable: 'height',
    handle: ({ height, page, per_page: perPage }, { deps }) => {
      const resolved = resolveHeight(height, deps.chain.nextHeight, deps);
      const all = deps.consensus.validatorsAt(resolved);
      const listed = pageOf(all, { page, perPage });
      return {
        block_height: String(resolved),
        validators: listed.map(validatorJson),
        count: String(listed.length),
        total: String(all.length),
      };
    },
  }),
  cometMethod({
    name: 'consensus_params',
    summary: 'The consensus parameters of a height',
    params: { height: optionalInteger },
    cacheable: 'height',
    handle: ({ height }, { deps }) => ({
      block_height: String(resolveHeight(height, deps.chain.nextHeight, deps)),
      consensus_params: consensusParamsJson(deps.genesis.consensusParams),
    }),
  }),
  cometMethod({
    name: 'consensus_state',
    summary: 'Where consensus stands, in short',
    params: {},
    handle: (_params, { deps }) => {
      const { height, proposer, power, time } = roundOf(deps);
      return {
        round_state: {
          'height/round/step': `${height}/0/${STEP_NEW_HEIGHT}`,
          start_time: time,
          proposal_block_hash: '',
          locked_block_hash: '',
          valid_block_hash: '',
          height_vote_set: [noVotes(power)],
          proposer: { address: upperHex(consensusAddress(proposer.publicKey)), index: 0 },
        },
      };
    },
  }),
  cometMethod({
    name: 'dump_consensus_state',
    summary: 'Where consensus stands, in full',
    params: {},
    handle: (_params, { deps }) => {
      const { height, validators, proposer, power, time } = roundOf(deps);
      const set = { validators: validators.map(validatorJson), proposer: validatorJson(proposer) };
      return {
        round_state: {
          height: String(height),
          round: 0,
          step: STEP_NEW_HEIGHT,
          start_time: time,
          commit_time: time,
          validators: set,
          proposal: null,
          proposal_block: null,
          proposal_block_parts: null,
          locked_round: -1,
          locked_block: null,
          locked_block_parts: null,
          valid_round: -1,
          valid_block: null,
          valid_block_parts: null,
          votes: [noVotes(power)],
          commit_round: -1,
          last_commit: lastCommitJson(deps),
          last_validators: set,
          triggered_timeout_precommit: false,
        },
        peers: [],
      };
    },
  }),
];
