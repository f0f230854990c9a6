import type { QueryMethod } from '../queryMethod.ts';
import { AUTH_METHODS } from './auth.ts';
import { BANK_METHODS } from './bank.ts';
import { DELEGATION_METHODS } from './delegations.ts';
import { DISTRIBUTION_METHODS } from './distribution.ts';
import { EVIDENCE_METHODS } from './evidence.ts';
import { EVM_METHODS } from './evm.ts';
import { NODE_METHODS } from './node.ts';
import { SLASHING_METHODS } from './slashing.ts';
import { STAKING_METHODS } from './staking.ts';
import { TENDERMINT_METHODS } from './tendermint.ts';
import { TRANSACTION_METHODS } from './transactions.ts';

/** Every method that is answered. */
export const SERVICES: readonly QueryMethod[] = [
  ...AUTH_METHODS,
  ...BANK_METHODS,
  ...STAKING_METHODS,
  ...DELEGATION_METHODS,
  ...DISTRIBUTION_METHODS,
  ...SLASHING_METHODS,
  ...EVIDENCE_METHODS,
  ...TRANSACTION_METHODS,
  ...TENDERMINT_METHODS,
  ...NODE_METHODS,
  ...EVM_METHODS,
];
