import { associateMessage } from './associateMessage.ts';
import { multiSendMessage, sendMessage } from './bankMessages.ts';
import {
  fundCommunityPoolMessage,
  setWithdrawAddressMessage,
  withdrawCommissionMessage,
  withdrawRewardMessage,
} from './distributionMessages.ts';
import type { MessageReader } from './messageKind.ts';
import { registerPointerMessage } from './pointerMessages.ts';
import { delegateMessage, redelegateMessage, undelegateMessage } from './stakingMessages.ts';
import { unjailMessage } from './unjailMessage.ts';
import { createValidatorMessage, editValidatorMessage } from './validatorMessages.ts';

const ALL: readonly MessageReader[] = [
  sendMessage,
  multiSendMessage,
  associateMessage,
  createValidatorMessage,
  editValidatorMessage,
  registerPointerMessage,
  delegateMessage,
  undelegateMessage,
  redelegateMessage,
  withdrawRewardMessage,
  withdrawCommissionMessage,
  setWithdrawAddressMessage,
  fundCommunityPoolMessage,
  unjailMessage,
];

/** The messages that the ledger runs, by type URL. */
export const MESSAGES: ReadonlyMap<string, MessageReader> = new Map(
  ALL.map((reader) => [reader.typeUrl, reader]),
);
