import { accountAddress } from '../../ledger/accounts.ts';
import type { TxCommand } from './txCommand.ts';

export const BANK_TRANSACTIONS: readonly TxCommand[] = [
  {
    usage: 'send <to> <coins> [more]',
    about:
      'send coins to chain1…, 0x… or a key of the home: "send <to> <coins> --from <key>", or "send <from> <to> <coins>"',
    from: (args) => (args.length === 3 ? args[0] : undefined),
    messages: async (scope, args) => {
      const [to = '', coins = ''] = args.slice(-2);
      const amount = scope.room.parseCoinList(coins);
      return [scope.room.messages.send(scope.from, await accountAddress(to, scope), amount)];
    },
  },
];
