import { ledgerError } from '../ledgerError.ts';
import type { MessageCodec } from '../protoRow.ts';
import type { MessageAnswer, MessageContext } from './messageKind.ts';
import { MESSAGES } from './messageTable.ts';

/**
 * Runs one message in the name of its signers, who were asked elsewhere: a contract's call is its signature.
 * Throws LEDGER_REFUSED; its effects are undone by the caller then.
 */
export function runLedgerMessage<Message>(
  { typeUrl, codec }: { readonly typeUrl: string; readonly codec: MessageCodec<Message> },
  message: Message,
  context: MessageContext,
): MessageAnswer {
  const reader = MESSAGES.get(typeUrl);
  if (!reader) throw ledgerError('unknownRequest', `this chain does not run ${typeUrl}`);
  const bound = reader.read(codec.encode(message).finish());
  bound.validate();
  return bound.run(context);
}
