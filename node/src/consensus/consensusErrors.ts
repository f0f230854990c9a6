import { CodedError } from '@chain/platform';

/** Every error that an engine makes itself. */
export const consensusErrors = {
  keyIsAhead: (height: number, lastHeight: number, cause?: unknown): CodedError =>
    new CodedError(
      'CONSENSUS_KEY_AHEAD',
      `the validator key has signed at height ${lastHeight} and the chain would sign at ${height}: the data is older than the key's last-sign state; put back the data that belongs to it`,
      { fields: { height, lastHeight }, cause },
    ),
  noLastBlock: (height: number): CodedError =>
    new CodedError(
      'CONSENSUS_NO_LAST_BLOCK',
      `the state is at height ${height} and history lacks that block, whose header the next one names; the embedded engine cannot go on from a restored snapshot`,
      { fields: { height } },
    ),
  timeNotLater: (milliseconds: number, last: number): CodedError =>
    new CodedError(
      'CONSENSUS_TIME_NOT_LATER',
      `block time ${milliseconds} ms is not later than the last block's, ${last} ms; choose a later one`,
      { fields: { milliseconds, last } },
    ),
  notRunning: (): CodedError =>
    new CodedError('CONSENSUS_NOT_RUNNING', 'the engine is not running and makes no blocks'),
};
