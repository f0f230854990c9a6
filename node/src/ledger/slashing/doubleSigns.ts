import { BECH32_PREFIX, toBech32 } from '../../primitives/index.ts';
import type { Misbehavior } from '../../types/index.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import { slash } from '../staking/slash.ts';
import { readValidatorByConsensus } from '../staking/stakingRows.ts';
import { jail, type StatusBlock } from '../staking/validatorStatus.ts';
import { isUnbonded } from '../staking/validatorTokens.ts';
import { recordEvidence } from './evidenceRows.ts';
import { writeSigningInfo } from './signingInfo.ts';
import { fractionOf } from './slashingParams.ts';
import { readSigningInfo, readSlashingParams } from './slashingRows.ts';

/** The end of the year 9999: whoever signed twice never comes back. */
const FOREVER = { seconds: 253_402_300_799n, nanos: 0 };

/** Slashes, jails and tombstones whoever signed two blocks of one height. The engine has checked the evidence. */
export function punishMisbehavior(
  effects: LedgerEffects,
  evidence: readonly Misbehavior[],
  block: StatusBlock,
): void {
  for (const one of evidence) punish(effects, one, block);
}

function punish(effects: LedgerEffects, offence: Misbehavior, block: StatusBlock): void {
  const { address, power, height } = offence;
  const { overlay, events } = effects;
  const params = readSlashingParams(overlay);
  const validator = readValidatorByConsensus(overlay, address);
  const info = readSigningInfo(overlay, address);
  if (!params || !validator || isUnbonded(validator) || !info || info.tombstoned) return;
  const fraction = fractionOf(params.slashFractionDoubleSign);
  // The stake that signed was chosen one block before.
  const burned = slash(effects, address, { infractionHeight: height - 1, power, fraction, block });
  const name = toBech32(address, BECH32_PREFIX.consensus);
  events.add('slash', {
    address: name,
    power: String(power),
    reason: 'double_sign',
    burned_coins: String(burned),
  });
  const slashed = readValidatorByConsensus(overlay, address);
  if (slashed && !slashed.jailed) {
    jail(effects, slashed);
    events.add('slash', { jailed: name });
  }
  writeSigningInfo(overlay, address, {
    ...readSigningInfo(overlay, address)!,
    jailedUntil: FOREVER,
    tombstoned: true,
  });
  recordEvidence(overlay, offence);
}
