import { CodedError, messageOf } from '@chain/platform';

export const chainErrors = {
  disagree: (versions: Readonly<Record<string, number>>) =>
    new CodedError(
      'CHAIN_STORES_DISAGREE',
      `the stores are not at one height after recovery (${Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')}); restore the data directory from a backup or state-sync`,
      { fields: versions },
    ),
  halted: (height: number, cause: unknown) =>
    new CodedError(
      'CHAIN_HALTED',
      `block ${height} could not be committed, a restart recovers from the changelog: ${messageOf(cause)}`,
      { fields: { height }, cause },
    ),
  wrongHeight: (height: number, expected: number) =>
    new CodedError('CHAIN_WRONG_HEIGHT', `block ${height} cannot be run: the next height is ${expected}`, {
      fields: { height, expected },
    }),
  haltHeight: (height: number) =>
    new CodedError(
      'CHAIN_HALT_HEIGHT',
      `the chain has reached halt-height = ${height} of app.toml; install the release that goes on, then take the setting out`,
      { fields: { height } },
    ),
  notCommitted: (height: number) =>
    new CodedError('CHAIN_NOT_COMMITTED', `block ${height} was run and waits for its commit`, {
      fields: { height },
    }),
  cannotRewind: (height: number, lowest: number) =>
    new CodedError(
      'CHAIN_CANNOT_GO_BACK',
      `the chain cannot go back to block ${height}: its stores reach down to ${lowest}; start anew (chaind dev --fresh)`,
      { fields: { height, lowest } },
    ),
  olderStateDiffers: (height: number, computed: string, header: string) =>
    new CodedError(
      'CHAIN_OLDER_STATE_DIFFERS',
      `the state of block ${height} has app hash ${computed}, but the next header says ${header}; nothing was changed: start anew (chaind dev --fresh)`,
      { fields: { height, computed, header } },
    ),
  notFinalized: (height: number) =>
    new CodedError('CHAIN_NOT_FINALIZED', `block ${height} cannot be committed: it was not run`, {
      fields: { height },
    }),
  /** The texts of spec R-5, Watermarks. */
  notYet: (height: number, latest: number) =>
    new CodedError(
      'CHAIN_HEIGHT_NOT_YET',
      `requested height ${height} is not yet available; safe latest is ${latest}`,
      { fields: { height, latest } },
    ),
  pruned: (height: number, earliest: number) =>
    new CodedError(
      'CHAIN_HEIGHT_PRUNED',
      `requested height ${height} has been pruned; earliest available is ${earliest}`,
      { fields: { height, earliest } },
    ),
} as const;
