import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary';
import { readAccountWei } from '../balance.ts';
import { ledgerError } from '../ledgerError.ts';
import { accountAt } from './addresses.ts';
import { type MessageReader, messageKind } from './messageKind.ts';

/** `chain.evm.v1.MsgAssociate {string sender = 1; string custom_message = 2}` (spec L-4). */
export interface MsgAssociate {
  readonly sender: string;
  readonly customMessage: string;
}

const MAX_CUSTOM_MESSAGE = 64;

export const MsgAssociate = {
  typeUrl: '/chain.evm.v1.MsgAssociate',
  encode: ({ sender, customMessage }: MsgAssociate): BinaryWriter => {
    const writer = BinaryWriter.create();
    if (sender !== '') writer.uint32(10).string(sender);
    if (customMessage !== '') writer.uint32(18).string(customMessage);
    return writer;
  },
  decode: (bytes: Uint8Array): MsgAssociate => {
    const reader = new BinaryReader(bytes);
    let [sender, customMessage] = ['', ''];
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === 10) sender = reader.string();
      else if (tag === 18) customMessage = reader.string();
      else reader.skipType(tag & 7);
    }
    return { sender, customMessage };
  },
} as const;

/** Does nothing itself: an account is associated whenever it signs. It only has to hold something. */
export const associateMessage: MessageReader = messageKind<MsgAssociate>({
  typeUrl: MsgAssociate.typeUrl,
  module: 'evm',
  codec: MsgAssociate,
  signers: ({ sender }) => [accountAt(sender, 'sender')],
  validate: ({ customMessage }) => {
    if (customMessage.length > MAX_CUSTOM_MESSAGE) {
      throw ledgerError('request', `custom message can have at most ${MAX_CUSTOM_MESSAGE} characters`);
    }
  },
  amino: ({ sender, customMessage }) => ({
    type: 'evm/MsgAssociate',
    value: { sender, ...(customMessage && { custom_message: customMessage }) },
  }),
  run: ({ sender }, { overlay }) => {
    if (readAccountWei(overlay, accountAt(sender, 'sender')) === 0n) {
      throw ledgerError('funds', 'account needs to have at least 1 wei to force association');
    }
    return { typeUrl: '/chain.evm.v1.MsgAssociateResponse', value: new Uint8Array(0) };
  },
});
