/**
 * What a field holds, as far as the wire tells: a number, bytes or text, the text of a whole number or of a scaled
 * decimal, a packed message, or one message kind.
 */
export type FieldShape = 'number' | 'bytes' | 'integer' | 'decimal' | 'any' | (() => MessageShape);

/** The fields of a message by number. */
export interface MessageShape {
  /** Full name in the protobuf files. */
  readonly name: string;
  readonly fields: { readonly [number: number]: FieldShape };
  /** Numbers of which at most one may be there, once. */
  readonly oneof?: readonly number[];
}

const shape = (name: string, fields: MessageShape['fields']): MessageShape => ({ name, fields });
/** Fields 1 to n of one kind. */
const all = (count: number, kind: FieldShape): MessageShape['fields'] =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [i + 1, kind]));

export const ANY = shape('google.protobuf.Any', all(2, 'bytes'));
const COIN = shape('cosmos.base.v1beta1.Coin', { 1: 'bytes', 2: 'integer' });
const coin = (): MessageShape => COIN;

const BITS = shape('cosmos.crypto.multisig.v1beta1.CompactBitArray', { 1: 'number', 2: 'bytes' });
const SINGLE = shape('cosmos.tx.v1beta1.ModeInfo.Single', { 1: 'number' });
const MULTI: MessageShape = shape('cosmos.tx.v1beta1.ModeInfo.Multi', { 1: () => BITS, 2: () => MODE });
const MODE: MessageShape = {
  ...shape('cosmos.tx.v1beta1.ModeInfo', { 1: () => SINGLE, 2: () => MULTI }),
  oneof: [1, 2],
};
const SIGNER = shape('cosmos.tx.v1beta1.SignerInfo', { 1: 'any', 2: () => MODE, 3: 'number' });
const FEE = shape('cosmos.tx.v1beta1.Fee', { 1: coin, 2: 'number', 3: 'bytes', 4: 'bytes' });
const TIP = shape('cosmos.tx.v1beta1.Tip', { 1: coin, 2: 'bytes' });

export const TX_RAW = shape('cosmos.tx.v1beta1.TxRaw', all(3, 'bytes'));
export const MULTI_SIGNATURE = shape('cosmos.crypto.multisig.v1beta1.MultiSignature', all(1, 'bytes'));
export const AUTH_INFO: MessageShape = shape('cosmos.tx.v1beta1.AuthInfo', {
  1: () => SIGNER,
  2: () => FEE,
  3: () => TIP,
});
export const TX_BODY: MessageShape = shape('cosmos.tx.v1beta1.TxBody', {
  1: 'any',
  2: 'bytes',
  3: 'number',
  1023: 'any',
  2047: 'any',
});

const BALANCE = { 1: 'bytes', 2: coin } as const;
const INPUT = shape('cosmos.bank.v1beta1.Input', BALANCE);
const OUTPUT = shape('cosmos.bank.v1beta1.Output', BALANCE);
const DESCRIPTION = shape('cosmos.staking.v1beta1.Description', all(5, 'bytes'));
const RATES = shape('cosmos.staking.v1beta1.CommissionRates', all(3, 'decimal'));
const STAKE = { 1: 'bytes', 2: 'bytes', 3: coin } as const;

/** What the chain reads out of packed messages: those it runs, and keys. */
export const PACKED_SHAPES: ReadonlyMap<string, MessageShape> = new Map(
  [
    shape('cosmos.crypto.secp256k1.PubKey', { 1: 'bytes' }),
    shape('cosmos.crypto.ed25519.PubKey', { 1: 'bytes' }),
    shape('cosmos.crypto.multisig.LegacyAminoPubKey', { 1: 'number', 2: 'any' }),
    shape('cosmos.bank.v1beta1.MsgSend', { 1: 'bytes', 2: 'bytes', 3: coin }),
    shape('cosmos.bank.v1beta1.MsgMultiSend', { 1: () => INPUT, 2: () => OUTPUT }),
    shape('cosmos.staking.v1beta1.MsgCreateValidator', {
      1: () => DESCRIPTION,
      2: () => RATES,
      3: 'integer',
      4: 'bytes',
      5: 'bytes',
      6: 'any',
      7: coin,
    }),
    shape('cosmos.staking.v1beta1.MsgEditValidator', {
      1: () => DESCRIPTION,
      2: 'bytes',
      3: 'decimal',
      4: 'integer',
    }),
    shape('cosmos.staking.v1beta1.MsgDelegate', STAKE),
    shape('cosmos.staking.v1beta1.MsgUndelegate', STAKE),
    shape('cosmos.staking.v1beta1.MsgBeginRedelegate', { ...all(3, 'bytes'), 4: coin }),
    shape('cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', all(2, 'bytes')),
    shape('cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission', all(1, 'bytes')),
    shape('cosmos.distribution.v1beta1.MsgSetWithdrawAddress', all(2, 'bytes')),
    shape('cosmos.distribution.v1beta1.MsgFundCommunityPool', { 1: coin, 2: 'bytes' }),
    shape('cosmos.slashing.v1beta1.MsgUnjail', { 1: 'bytes' }),
    shape('chain.evm.v1.MsgAssociate', all(2, 'bytes')),
    shape('chain.evm.v1.MsgRegisterPointer', all(2, 'bytes')),
  ].map((it) => [`/${it.name}`, it]),
);
