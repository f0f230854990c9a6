import {
  MsgMultiSend,
  MsgMultiSendResponse,
  MsgSend,
  MsgSendResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { appendAll, toBech32 } from '../../primitives/index.ts';
import { ensureAccount } from '../account.ts';
import { formatCoins, parseCoins, type Units } from '../bank/coins.ts';
import { giveCoins, requireReceiver, takeCoins, transferCoins } from '../bank/transferCoins.ts';
import { ledgerError } from '../ledgerError.ts';
import { pointerTransfersOf } from '../pointers/pointerTransfers.ts';
import { accountAt } from './addresses.ts';
import { type MessageReader, messageKind } from './messageKind.ts';

export const sendMessage: MessageReader = messageKind<MsgSend>({
  typeUrl: MsgSend.typeUrl,
  module: 'bank',
  codec: MsgSend,
  signers: ({ fromAddress }) => [accountAt(fromAddress, 'from')],
  validate: ({ toAddress, amount }) => {
    accountAt(toAddress, 'to');
    parseCoins(amount);
  },
  spends: ({ amount }) => amount,
  amino: ({ fromAddress, toAddress, amount }) => ({
    type: 'cosmos-sdk/MsgSend',
    value: { from_address: fromAddress, to_address: toAddress, amount },
  }),
  run: (message, context) => {
    const to = accountAt(message.toAddress, 'to');
    requireReceiver(context.overlay, to);
    const from = accountAt(message.fromAddress, 'from');
    const transfer = { from, to, coins: parseCoins(message.amount) };
    transferCoins(context, transfer);
    appendAll(context.pointerTransfers, pointerTransfersOf(context.overlay, transfer));
    return { typeUrl: MsgSendResponse.typeUrl, value: new Uint8Array(0) };
  },
});

export const multiSendMessage: MessageReader = messageKind<MsgMultiSend>({
  typeUrl: MsgMultiSend.typeUrl,
  module: 'bank',
  codec: MsgMultiSend,
  signers: ({ inputs }) => {
    if (inputs.length === 0) throw ledgerError('noInputs');
    return inputs.map(({ address }) => accountAt(address, 'input'));
  },
  validate: ({ inputs, outputs }) => {
    if (inputs.length > 1) throw ledgerError('senders');
    if (outputs.length === 0) throw ledgerError('noOutputs');
    const sum = new Map<string, bigint>();
    for (const { address, coins } of outputs) {
      accountAt(address, 'output');
      for (const { denomination, amount } of parseCoins(coins)) {
        sum.set(denomination, (sum.get(denomination) ?? 0n) + amount);
      }
    }
    const input = parseCoins(inputs[0]!.coins);
    const matches = (coin: Units) => sum.get(coin.denomination) === coin.amount;
    if (input.length !== sum.size || !input.every(matches)) {
      throw ledgerError('inputOutput', formatCoins(input));
    }
  },
  spends: ({ inputs }) => inputs[0]!.coins,
  amino: ({ inputs, outputs }) => ({ type: 'cosmos-sdk/MsgMultiSend', value: { inputs, outputs } }),
  run: ({ inputs, outputs }, context) => {
    const input = inputs[0]!;
    const from = accountAt(input.address, 'input');
    takeCoins(context, from, parseCoins(input.coins));
    context.events.add('message', { sender: toBech32(from) });
    for (const { address, coins } of outputs) {
      const to = accountAt(address, 'output');
      requireReceiver(context.overlay, to);
      const units = parseCoins(coins);
      giveCoins(context, to, units);
      ensureAccount(context.overlay, to);
      context.events.add('transfer', { recipient: address, amount: formatCoins(units) });
      appendAll(context.pointerTransfers, pointerTransfersOf(context.overlay, { from, to, coins: units }));
    }
    return { typeUrl: MsgMultiSendResponse.typeUrl, value: new Uint8Array(0) };
  },
});
