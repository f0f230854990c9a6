import type { Description } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { ledgerError } from '../ledgerError.ts';

/** Most bytes of each member, as in the SDK. */
const LIMITS = { moniker: 70, identity: 3000, website: 140, securityContact: 140, details: 280 } as const;
const NAMES = { securityContact: 'security contact' } as Readonly<Record<string, string>>;
/** What an edit says for a member that stays as it is. */
const KEEP = '[do-not-modify]';

const MEMBERS = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

export const isEmptyDescription = (description: Description): boolean =>
  MEMBERS.every((member) => description[member] === '');

/** Throws LEDGER_REFUSED. */
export function requireLengths(description: Description): Description {
  for (const member of MEMBERS) {
    const length = Buffer.byteLength(description[member]);
    if (length <= LIMITS[member]) continue;
    const name = NAMES[member] ?? member;
    throw ledgerError('request', `invalid ${name} length; got: ${length}, max: ${LIMITS[member]}`);
  }
  return description;
}

/** Throws LEDGER_REFUSED. */
export function editedDescription(before: Description, edit: Description): Description {
  const members = MEMBERS.map((member) => [member, edit[member] === KEEP ? before[member] : edit[member]]);
  return requireLengths(Object.fromEntries(members) as unknown as Description);
}
