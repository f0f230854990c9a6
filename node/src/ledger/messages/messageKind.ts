import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import type { BlockTime } from '../../types/index.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import type { PointerTransfer } from '../pointers/pointerTransfers.ts';
import type { PointerDeployer } from '../pointers/registerPointer.ts';
import { decodeMessage } from '../protoMessage.ts';
import type { MessageCodec } from '../protoRow.ts';
import type { GasMeter } from '../transaction/gasMeter.ts';

interface RunContext extends LedgerEffects {
  readonly height: number;
  readonly time: BlockTime;
  readonly meter: GasMeter;
  /** Consensus address of the only validator that the engine takes; none where every one may sign. */
  readonly soleValidator?: Uint8Array | undefined;
}

/** What a transaction is checked and paid with. */
export interface AnteContext extends RunContext {
  readonly chainId: string;
}

/** What a message runs with. */
export interface MessageContext extends RunContext {
  readonly deployPointer: PointerDeployer;
  /** Gathers what pointers tell of. */
  readonly pointerTransfers: PointerTransfer[];
}

/** What a message's handler leaves beside its effects. */
export interface MessageAnswer {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

/** A message kind of the chain. `Message` is its decoded form. */
export interface MessageKind<Message> {
  readonly typeUrl: string;
  /** For events: the SDK's module name. */
  readonly module: string;
  readonly codec: MessageCodec<Message>;
  /** Chain addresses (20 bytes) that must sign, in order. Throws LEDGER_REFUSED. */
  signers(message: Message): Uint8Array[];
  /** What is wrong without looking at state; throws LEDGER_REFUSED. */
  validate(message: Message): void;
  /** Coins that the first signer gives away beside the fee; none where it is missing. */
  spends?(message: Message): readonly Coin[];
  /** As SIGN_MODE_LEGACY_AMINO_JSON has it: the registered name and the value, without empty members. */
  amino(message: Message): { readonly type: string; readonly value: unknown };
  /** Throws LEDGER_REFUSED; its effects are undone by the caller then. */
  run(message: Message, context: MessageContext): MessageAnswer;
}

/** A message kind with its message, so that tables can hold all kinds. */
export interface BoundMessage {
  readonly typeUrl: string;
  readonly module: string;
  readonly signers: readonly Uint8Array[];
  /** Of the message. */
  readonly value: Uint8Array;
  /** What the first signer gives away beside the fee. */
  readonly spends: readonly Coin[];
  validate(): void;
  amino(): { readonly type: string; readonly value: unknown };
  run(context: MessageContext): MessageAnswer;
}

/** Reads messages of one kind. */
export interface MessageReader {
  readonly typeUrl: string;
  /** Throws LEDGER_REFUSED for bytes that are no such message, and for signers that are no addresses. */
  read(value: Uint8Array): BoundMessage;
}

export function messageKind<Message>(kind: MessageKind<Message>): MessageReader {
  const { typeUrl, module } = kind;
  return {
    typeUrl,
    read: (value) => {
      const message = decodeMessage(kind.codec, value, typeUrl);
      return {
        typeUrl,
        module,
        value,
        signers: kind.signers(message),
        spends: kind.spends?.(message) ?? [],
        validate: () => kind.validate(message),
        amino: () => kind.amino(message),
        run: (context) => kind.run(message, context),
      };
    },
  };
}
