import { MsgUnjail, MsgUnjailResponse } from 'cosmjs-types/cosmos/slashing/v1beta1/tx';
import { DECIMAL_ONE } from '../../primitives/index.ts';
import { slashingError } from '../slashing/slashingErrors.ts';
import { readSigningInfo } from '../slashing/slashingRows.ts';
import { readDelegation, readValidator } from '../staking/stakingRows.ts';
import { isDue } from '../staking/timeQueue.ts';
import { consensusAddressOf, unjail } from '../staking/validatorStatus.ts';
import { worthOf } from '../staking/validatorTokens.ts';
import { operatorAt } from './addresses.ts';
import { type MessageReader, messageKind } from './messageKind.ts';

export const unjailMessage: MessageReader = messageKind<MsgUnjail>({
  typeUrl: MsgUnjail.typeUrl,
  module: 'slashing',
  codec: MsgUnjail,
  signers: ({ validatorAddr }) => [operatorAt(validatorAddr)],
  validate: () => undefined,
  amino: ({ validatorAddr }) => ({ type: 'cosmos-sdk/MsgUnjail', value: { address: validatorAddr } }),
  run: ({ validatorAddr }, context) => {
    const { overlay, time } = context;
    const operator = operatorAt(validatorAddr);
    const validator = readValidator(overlay, operator);
    if (!validator) throw slashingError('noValidator');
    const own = readDelegation(overlay, operator, operator);
    if (!own) throw slashingError('noSelfDelegation');
    const units = worthOf(validator, BigInt(own.shares)) / DECIMAL_ONE;
    if (units < BigInt(validator.minSelfDelegation)) {
      throw slashingError('selfDelegation', `${units} less than ${validator.minSelfDelegation}`);
    }
    if (!validator.jailed) throw slashingError('notJailed');
    const info = readSigningInfo(overlay, consensusAddressOf(validator));
    if (info && (info.tombstoned || !isDue(info.jailedUntil, time))) throw slashingError('jailed');
    unjail(context, validator);
    return { typeUrl: MsgUnjailResponse.typeUrl, value: new Uint8Array(0) };
  },
});
