import {
  type CommitInfo,
  type Event,
  type ExecTxResult,
  MisbehaviorType,
  type ResponseCheckTx,
  type ResponseFinalizeBlock,
  type ResponseQuery,
  type ValidatorUpdate,
  type Misbehavior as WireMisbehavior,
} from 'cosmjs-types/tendermint/abci/types';
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator';
import type { FinalizedBlock } from '../../../chain/index.ts';
import type { AbciQueryResult } from '../../../ledgerQuery/index.ts';
import type {
  CommitVote,
  LedgerEvent,
  Misbehavior,
  TransactionResult,
  ValidatorPower,
} from '../../../types/index.ts';

const NO_BYTES = new Uint8Array(0);

export function finalizedToWire(block: FinalizedBlock): ResponseFinalizeBlock {
  return {
    events: block.events.map(eventToWire),
    txResults: block.results.map(resultToWire),
    validatorUpdates: block.validatorUpdates.map(validatorToWire),
    appHash: block.appHash,
  };
}

export function validatorToWire({ publicKey, power }: ValidatorPower): ValidatorUpdate {
  return { pubKey: { ed25519: publicKey }, power };
}

/** How the set of the block before voted. */
export function votesOf({ votes }: CommitInfo): CommitVote[] {
  return votes.map(({ validator, blockIdFlag }) => ({
    address: validator.address,
    power: validator.power,
    signed: blockIdFlag !== BlockIDFlag.BLOCK_ID_FLAG_ABSENT,
  }));
}

export function misbehaviorOf({ type, validator, height, time }: WireMisbehavior): Misbehavior {
  const kind = type === MisbehaviorType.DUPLICATE_VOTE ? 'duplicateVote' : 'lightClientAttack';
  return { kind, address: validator.address, power: validator.power, height: Number(height), time };
}

function resultToWire({ events, ...result }: TransactionResult): ExecTxResult {
  return { ...result, info: '', events: events.map(eventToWire) };
}

function eventToWire({ type, attributes }: LedgerEvent): Event {
  return { type, attributes: attributes.map(({ key, value, index }) => ({ key, value, index })) };
}

/** A transaction that CheckTx takes, or why it does not. */
export function checkedToWire(checked: Partial<TransactionResult>): ResponseCheckTx {
  return {
    code: checked.code ?? 0,
    data: NO_BYTES,
    log: checked.log ?? '',
    info: '',
    gasWanted: checked.gasWanted ?? 0n,
    gasUsed: 0n,
    events: [],
    codespace: checked.codespace ?? '',
  };
}

export function queryToWire({ proof, height, ...answer }: AbciQueryResult): ResponseQuery {
  return {
    ...answer,
    info: '',
    index: 0n,
    height: BigInt(height),
    ...(proof && { proofOps: { ops: proof.map((op) => ({ ...op })) } }),
  };
}
