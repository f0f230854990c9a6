import { CodedError } from '@chain/platform';

export const rollbackErrors = {
  notBelow: (target: number, height: number) =>
    new CodedError(
      'APP_ROLLBACK_NOT_BELOW',
      `the chain is at height ${height}: it cannot be rolled back to ${target}; choose a height below ${height}`,
      { fields: { target, height } },
    ),
  unreachable: (target: number, lowest: number, limits: string) =>
    new CodedError(
      'APP_ROLLBACK_UNREACHABLE',
      `height ${target} cannot be gone back to: ${limits}; choose ${lowest} or above, or state sync to a height that you trust`,
      { fields: { target, lowest } },
    ),
  noPath: (height: number) =>
    new CodedError(
      'APP_ROLLBACK_NO_PATH',
      `no height below ${height} can be gone back to: no snapshot of the state and changelog lead there; state sync to a height that you trust`,
      { fields: { height } },
    ),
  stateDiffers: (target: number, computed: string, header: string) =>
    new CodedError(
      'APP_ROLLBACK_STATE_DIFFERS',
      `the state at height ${target} has app hash ${computed}, but header ${target + 1} says ${header}; nothing was changed: choose another height, or state sync`,
      { fields: { target, computed, header } },
    ),
  signed: (target: number, lastHeight: number) =>
    new CodedError(
      'APP_ROLLBACK_SIGNED',
      `the validator key of this home has signed up to height ${lastHeight}, and would sign heights above ${target} a second time; only if nobody else has seen these blocks, add --reset-sign-state`,
      { fields: { target, lastHeight } },
    ),
  unusedEvmStore: (directory: string) =>
    new CodedError(
      'APP_ROLLBACK_UNUSED_EVM_STORE',
      `the EVM SS in "${directory}" is not in use (evm-ss-split = false) and would keep blocks that are taken back; remove the directory first, or roll back with evm-ss-split = true`,
      { fields: { directory } },
    ),
} as const;
