import { associateMessage } from './associateMessage.ts';
import { multiSendMessage, sendMessage } from './bankMessages.ts';
import type { MessageReader } from './messageKind.ts';

const ALL: readonly MessageReader[] = [sendMessage, multiSendMessage, associateMessage];

/** The messages that the ledger runs, by type URL. */
export const MESSAGES: ReadonlyMap<string, MessageReader> = new Map(
  ALL.map((reader) => [reader.typeUrl, reader]),
);
