import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { equalBytes } from '../../primitives/index.ts';
import type { BoundMessage } from '../messages/messageKind.ts';
import { pointerAddressOf } from './pointerRows.ts';

/** The first of the messages that moved the denomination of a pointer. */
export function messageOfPointer(
  messages: readonly BoundMessage[],
  pointer: Uint8Array,
): BoundMessage | undefined {
  return messages.find((message) =>
    denominationsOf(message).some((denomination) => equalBytes(pointerAddressOf(denomination), pointer)),
  );
}

function denominationsOf({ typeUrl, value }: BoundMessage): string[] {
  if (typeUrl === MsgSend.typeUrl) return MsgSend.decode(value).amount.map(({ denom }) => denom);
  if (typeUrl !== MsgMultiSend.typeUrl) return [];
  return MsgMultiSend.decode(value).outputs.flatMap(({ coins }) => coins.map(({ denom }) => denom));
}
