import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary';
import { toChecksumAddress } from '../../primitives/index.ts';
import { registerPointer } from '../pointers/registerPointer.ts';
import { accountAt } from './addresses.ts';
import { type MessageReader, messageKind } from './messageKind.ts';

/** `chain.evm.v1.MsgRegisterPointer {string sender = 1; string denom = 2}` */
export interface MsgRegisterPointer {
  readonly sender: string;
  readonly denom: string;
}

export const MsgRegisterPointer = {
  typeUrl: '/chain.evm.v1.MsgRegisterPointer',
  encode: ({ sender, denom }: MsgRegisterPointer): BinaryWriter => {
    const writer = BinaryWriter.create();
    if (sender !== '') writer.uint32(10).string(sender);
    if (denom !== '') writer.uint32(18).string(denom);
    return writer;
  },
  decode: (bytes: Uint8Array): MsgRegisterPointer => {
    const reader = new BinaryReader(bytes);
    let [sender, denom] = ['', ''];
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === 10) sender = reader.string();
      else if (tag === 18) denom = reader.string();
      else reader.skipType(tag & 7);
    }
    return { sender, denom };
  },
} as const;

/** Makes the ERC-20 contract of a denomination; the answer has its address. */
export const registerPointerMessage: MessageReader = messageKind<MsgRegisterPointer>({
  typeUrl: MsgRegisterPointer.typeUrl,
  module: 'evm',
  codec: MsgRegisterPointer,
  signers: ({ sender }) => [accountAt(sender, 'sender')],
  validate: () => undefined,
  amino: ({ sender, denom }) => ({ type: 'evm/MsgRegisterPointer', value: { sender, denom } }),
  run: ({ denom }, context) => {
    const { address } = registerPointer(context, denom);
    const value = BinaryWriter.create().uint32(10).string(toChecksumAddress(address)).finish();
    return { typeUrl: '/chain.evm.v1.MsgRegisterPointerResponse', value };
  },
});
