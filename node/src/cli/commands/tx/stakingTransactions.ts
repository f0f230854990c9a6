import { CodedError } from '@chain/platform';
import type { MessageScope } from './sendTransaction.ts';
import type { TxCommand } from './txCommand.ts';
import { createValidator, editValidator } from './validatorTransactions.ts';

/** The one coin of a delegation. Throws CLI_USAGE for a list. */
function oneCoin({ room }: Pick<MessageScope, 'room'>, text: string) {
  const [coin, another] = room.parseCoinList(text);
  if (coin && !another) return coin;
  throw new CodedError('CLI_USAGE', `"${text}" is a list of coins; write one, such as 1000usei`);
}

export const STAKING_TRANSACTIONS: readonly TxCommand[] = [
  {
    usage: 'delegate <validator> <coin>',
    about: 'stake with a validator',
    messages: (scope, [validator = '', coin = '']) => [
      scope.room.messages.delegate(scope.from, validator, oneCoin(scope, coin)),
    ],
  },
  {
    usage: 'unbond <validator> <coin>',
    about: 'take a stake back; it comes after the unbonding time',
    messages: (scope, [validator = '', coin = '']) => [
      scope.room.messages.undelegate(scope.from, validator, oneCoin(scope, coin)),
    ],
  },
  {
    usage: 'redelegate <from-validator> <to-validator> <coin>',
    about: 'move a stake to another validator at once',
    messages: (scope, [from = '', to = '', coin = '']) => [
      scope.room.messages.redelegate(scope.from, { from, to }, oneCoin(scope, coin)),
    ],
  },
  createValidator,
  editValidator,
];
