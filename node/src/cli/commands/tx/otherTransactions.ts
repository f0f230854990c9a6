import { CodedError } from '@chain/platform';
import { BECH32_PREFIX, toBech32 } from '../../../primitives/index.ts';
import type { MessageScope } from './sendTransaction.ts';
import type { TxCommand } from './txCommand.ts';

export const DISTRIBUTION_TRANSACTIONS: readonly TxCommand[] = [
  {
    usage: 'withdraw-rewards [validator]',
    about: 'withdraw what a stake has earned; without a validator, from all of them',
    options: (command) => void command.option('--commission', 'the validator’s own commission too'),
    messages: async (scope, [validator], flags) => {
      const from = validator === undefined ? await stakedWith(scope) : [validator];
      const rewards = from.map((it) => scope.room.messages.withdrawRewards(scope.from, it));
      if (!flags.commission) return rewards;
      const operator = toBech32(scope.key.chainAddress, BECH32_PREFIX.validator);
      return [...rewards, scope.room.messages.withdrawCommission(operator)];
    },
  },
];

export const SLASHING_TRANSACTIONS: readonly TxCommand[] = [
  {
    usage: 'unjail',
    about: 'put an own validator that missed blocks back',
    messages: ({ room, key }) => [room.messages.unjail(toBech32(key.chainAddress, BECH32_PREFIX.validator))],
  },
];

export const EVM_TRANSACTIONS: readonly TxCommand[] = [
  {
    usage: 'associate',
    about: 'tie the EVM address of a key to its account, which any other transaction does too',
    messages: ({ room, from }) => [room.messages.associate(from)],
  },
  {
    usage: 'register-pointer <denom>',
    about: 'make the ERC-20 contract of a bank denomination',
    messages: ({ room, from }, [denom = '']) => [room.messages.registerPointer(from, denom)],
  },
];

async function stakedWith({ client, from }: MessageScope): Promise<string[]> {
  const { rewards } = await client.query<{ rewards: { validator_address: string }[] }>({
    method: 'cosmos.distribution.v1beta1.Query/DelegationTotalRewards',
    parameters: { delegator_address: from },
  });
  if (rewards.length === 0) {
    throw new CodedError('CLI_NOTHING_STAKED', `${from} has staked nothing, so there are no rewards`);
  }
  return rewards.map((it) => it.validator_address);
}
