import { isZero } from '../primitives/index.ts';
import { delegationCode, delegationTarget } from './delegation.ts';
import type { EvmState } from './evmState.ts';
import { GAS } from './gas.ts';
import { recoverAuthority } from './transaction/authorization.ts';
import type { Authorization } from './transaction/evmTransaction.ts';

const MAX_NONCE = 2n ** 64n - 1n;
const NO_CODE = new Uint8Array(0);

/**
 * Sets the delegations of a type 4 transaction, before its message runs and after the sender's nonce moved.
 * An invalid authorization is skipped. Returns what to add to the refund counter.
 */
export function applyAuthorizations(
  state: EvmState,
  authorizations: readonly Authorization[],
  chainId: bigint,
): bigint {
  let refund = 0n;
  for (const authorization of authorizations) {
    if (authorization.chainId !== 0n && authorization.chainId !== chainId) continue;
    refund += applyOne(state, authorization);
  }
  return refund;
}

function applyOne(state: EvmState, authorization: Authorization): bigint {
  if (authorization.nonce >= MAX_NONCE) return 0n;
  const authority = recoverAuthority(authorization);
  if (!authority) return 0n;
  state.warmAddress(authority);
  const code = state.code(authority);
  if (code.length > 0 && !delegationTarget(code)) return 0n;
  if (state.nonce(authority) !== authorization.nonce) return 0n;
  const refund = state.isEmpty(authority) ? 0n : GAS.newAuthorization - GAS.existingAuthorization;
  state.setNonce(authority, authorization.nonce + 1n);
  const isReset = isZero(authorization.address);
  if (!isReset || code.length > 0) {
    state.setCode(authority, isReset ? NO_CODE : delegationCode(authorization.address));
  }
  return refund;
}
