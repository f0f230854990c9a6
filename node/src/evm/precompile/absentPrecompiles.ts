import { concatBytes, hexToBytes } from '../../primitives/index.ts';
import { encodeAbi } from './abi/encodeAbi.ts';
import { parseFunction } from './abi/parseAbi.ts';
import type { Precompile } from './precompile.ts';

// Contracts that chains of this family have, and this one has nothing to put behind (spec L-10, L-11).

const GAS = 3_000n;
const ERROR = parseFunction('Error(string reason) pure');

const PROPOSAL =
  '(uint64 id, int32 status, (string yes, string abstain, string no, string noWithVeto) finalTallyResult, int64 submitTime, int64 depositEndTime, (uint256 amount, string denom)[] totalDeposit, int64 votingStartTime, int64 votingEndTime, bool isExpedited, bytes content)';
const VOTE = '(uint64 proposalID, string voter, (int32 option, string weight)[] options)';
const DEPOSIT = '(uint64 proposalID, string depositor, (uint256 amount, string denom)[] amount)';

export const GOV_ABI = [
  'submitProposal(string proposalJSON) payable returns (uint64 proposalID)',
  'deposit(uint64 proposalID) payable returns (bool success)',
  'vote(uint64 proposalID, int32 option) nonpayable returns (bool success)',
  'voteWeighted(uint64 proposalID, (int32 option, string weight)[] options) nonpayable returns (bool success)',
  `proposal(uint64 proposalID) view returns (${PROPOSAL} proposal)`,
  `proposals(int32 proposalStatus, address voter, address depositor, bytes pageKey) view returns (${PROPOSAL}[] proposals, bytes nextKey)`,
  `getVote(uint64 proposalID, address voter) view returns (${VOTE} vote)`,
  `votes(uint64 proposalID, bytes pageKey) view returns (${VOTE}[] votes, bytes nextKey)`,
  `getDeposit(uint64 proposalID, address depositor) view returns (${DEPOSIT} deposit)`,
  `deposits(uint64 proposalID, bytes pageKey) view returns (${DEPOSIT}[] deposits, bytes nextKey)`,
  'tallyResult(uint64 proposalID) view returns ((string yes, string abstain, string no, string noWithVeto) tally)',
].map(parseFunction);

const RATE = '(string exchangeRate, string lastUpdate, int64 lastUpdateTimestamp)';
export const ORACLE_ABI = [
  `getExchangeRates() view returns ((string denom, ${RATE} oracleExchangeRateVal)[] rates)`,
  'getOracleTwaps(uint64 lookback_seconds) view returns ((string denom, string twap, int64 lookbackSeconds)[] twaps)',
].map(parseFunction);

/** The precompile 0x…1006 (docs/abi/gov.json). */
export const govPrecompile = absentPrecompile(
  '0000000000000000000000000000000000001006',
  'gov precompile is not available: this chain has no governance module',
);

/** The precompile 0x…1008 (docs/abi/oracle.json), retired as in the reference. */
export const oraclePrecompile = absentPrecompile(
  '0000000000000000000000000000000000001008',
  'oracle precompile is retired; oracle data queries are disabled',
);

/** Reverts whatever is called with `Error(reason)`, a plain payment too, so that no value stays there. */
function absentPrecompile(address: string, reason: string): Precompile {
  const returnData = concatBytes(ERROR.selector, encodeAbi(ERROR.inputs, [reason]));
  return {
    address: hexToBytes(address),
    run: (_input, { state, gasLimit }) => {
      if (GAS <= gasLimit) state.notePrecompileFailure(reason);
      return { status: 'reverted', returnData, gasUsed: GAS };
    },
  };
}
