import type { EncodeObject } from '@cosmjs/proto-signing';
import { defaultRegistryTypes } from '@cosmjs/stargate';
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys';
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig';
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys';
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx';
import type { Any } from 'cosmjs-types/google/protobuf/any';
import { type TestAccount, testAccount } from '../../../node/src/execution/testChain.fixture.ts';
import { MsgAssociate } from '../../../node/src/ledger/messages/associateMessage.ts';
import { MsgRegisterPointer } from '../../../node/src/ledger/messages/pointerMessages.ts';
import { concatBytes, multisigAddressOf, toBech32, utf8 } from '../../../node/src/primitives/index.ts';
import type { Random } from '../random.ts';
import { accountText, messages } from '../validatorChain.ts';
import { damagedBytes, damagedMessage, groups, lengthDelimited, nested } from './protobufDamage.ts';
import { DIRECT, type LedgerSigner, MULTI, memberSignature, signedBy, txRaw } from './signLedgerBytes.ts';

/** From shallow, which the chain takes, to what overflows any stack. */
const DEPTHS = [1, 2, 3, 7, 15, 16, 17, 40, 600, 2_400, 9_000];
const KEY_URL = PubKey.typeUrl;
const MULTI_URL = LegacyAminoPubKey.typeUrl;
/** One of two accounts of genesis may sign for it. */
const MEMBERS = [2, 3].map((seed) => testAccount(seed).publicKey);
export const MULTISIG = multisigAddressOf(1, MEMBERS);
const MULTISIG_TEXT = toBech32(MULTISIG);

const codecs = new Map<string, { encode(message: never): { finish(): Uint8Array } }>([
  ...(defaultRegistryTypes as never as [string, { encode(message: never): { finish(): Uint8Array } }][]),
  [MsgUnjail.typeUrl, MsgUnjail],
  [MsgAssociate.typeUrl, MsgAssociate],
  [MsgRegisterPointer.typeUrl, MsgRegisterPointer],
]);

const encoded = ({ typeUrl, value }: EncodeObject): Any => ({
  typeUrl,
  value: codecs
    .get(typeUrl)!
    .encode(value as never)
    .finish(),
});

export function send(from: string, to: string, amount: number): Any {
  const message = { fromAddress: from, toAddress: to, amount: [{ denom: 'usei', amount: `${amount}` }] };
  return encoded({ typeUrl: MsgSend.typeUrl, value: message });
}

/** A message of any kind that an account may send with success, by chance. */
function ordinary(random: Random, seed: number): Any {
  const sender = accountText(seed);
  const coins = (amount: number) => [{ denom: 'usei', amount: `${amount}` }];
  const outputs = Array.from({ length: 1 + random.below(5) }, (_, i) => ({
    address: accountText(i),
    coins: coins(i + 1),
  }));
  const total = (outputs.length * (outputs.length + 1)) / 2;
  const inputs = [{ address: sender, coins: coins(total) }];
  return random.pick<() => Any>([
    () => send(sender, accountText(random.below(8)), random.below(1_000)),
    () => encoded({ typeUrl: MsgMultiSend.typeUrl, value: { inputs, outputs } }),
    () => encoded(messages.delegate(seed, random.below(2), 1 + random.below(5_000))),
    () => encoded(messages.undelegate(seed, random.below(2), 1 + random.below(2_000))),
    () => encoded(messages.redelegate(seed, { from: 0, to: 1 }, 1 + random.below(500))),
    () => encoded(messages.withdraw(seed, random.below(2))),
    () => encoded(messages.withdrawTo(seed, random.below(8))),
    () => encoded(messages.fund(seed, random.below(9))),
    () => encoded(messages.edit(seed, { minSelfDelegation: '2' })),
    () => encoded(messages.create(seed, 1_000_000)),
    () => encoded({ typeUrl: MsgAssociate.typeUrl, value: { sender, customMessage: 'hello' } }),
    () => encoded({ typeUrl: MsgRegisterPointer.typeUrl, value: { sender, denom: `x${random.below(3)}` } }),
  ])();
}

/** A key of several within a key of several, and so on. */
export function nestedKey(levels: number, { publicKey }: TestAccount): Any {
  let key: Any = { typeUrl: KEY_URL, value: PubKey.encode({ key: publicKey }).finish() };
  for (let level = 0; level < levels; level++) {
    const value = LegacyAminoPubKey.encode({ threshold: 1, publicKeys: [key] }).finish();
    key = { typeUrl: MULTI_URL, value };
  }
  return key;
}

function fromMultisig(random: Random, signer: LedgerSigner): Uint8Array {
  const publicKeys = MEMBERS.map((key) => ({ typeUrl: KEY_URL, value: PubKey.encode({ key }).finish() }));
  const publicKey = {
    typeUrl: MULTI_URL,
    value: LegacyAminoPubKey.encode({ threshold: 1, publicKeys }).finish(),
  };
  const sign = (parts: Parameters<typeof memberSignature>[0]): Uint8Array => {
    const good = MultiSignature.encode({ signatures: [memberSignature(parts)] }).finish();
    return random.pick([
      good,
      good,
      concatBytes(good, groups(9, random.pick(DEPTHS))),
      concatBytes(groups(9, random.pick(DEPTHS), false), good),
      damagedMessage(random, good),
    ]);
  };
  const messages = [send(MULTISIG_TEXT, accountText(4), 1)];
  return signedBy({ ...signer, key: testAccount(2) }, { messages, publicKey, modeInfo: MULTI, sign });
}

/** Ledger transactions, honest and hostile, each under the signature of who pays; by what they are about. */
export const LEDGER_ATTACKS = {
  honest: (random: Random, signer: LedgerSigner) =>
    signedBy(signer, { messages: [ordinary(random, signer.seed)] }),
  message: (random: Random, signer: LedgerSigner) => {
    const { typeUrl, value } = ordinary(random, signer.seed);
    return signedBy(signer, { messages: [{ typeUrl, value: damagedMessage(random, value) }] });
  },
  // Beside a mode that is valid, or alone.
  modes: (random: Random, signer: LedgerSigner) => {
    const deep = nested([2, 2], 2 * random.pick(DEPTHS), random.pick([DIRECT, new Uint8Array(0)]));
    const modeInfo = random.pick([concatBytes(DIRECT, deep), concatBytes(deep, DIRECT), deep]);
    return signedBy(signer, { messages: [ordinary(random, signer.seed)], modeInfo });
  },
  keys: (random: Random, signer: LedgerSigner) => {
    const publicKey = nestedKey(Math.min(600, random.pick(DEPTHS)), signer.key);
    return signedBy(signer, { messages: [ordinary(random, signer.seed)], publicKey });
  },
  groups: (random: Random, signer: LedgerSigner) => {
    const more = groups(random.pick([1, 9, 1_031]), random.pick(DEPTHS), random.below(3) > 0);
    const place = random.pick(['moreBody', 'moreAuthInfo', 'moreRaw'] as const);
    return signedBy(signer, { messages: [ordinary(random, signer.seed)], [place]: more });
  },
  multisig: fromMultisig,
  bytes: (random: Random, signer: LedgerSigner) =>
    damagedBytes(random, signedBy(signer, { messages: [ordinary(random, signer.seed)] })),
  nobody: (random: Random) =>
    random.pick([
      () => Uint8Array.from({ length: random.below(200) }, () => random.below(256)),
      () => groups(random.pick([1, 2, 3, 4]), random.pick(DEPTHS), random.below(2) === 0),
      () => txRaw({ body: nested([1, 2], random.pick(DEPTHS), utf8('x')), authInfo: new Uint8Array(0) }),
      () => txRaw({ body: lengthDelimited(1, new Uint8Array(0)), authInfo: nested([1, 2], 40, DIRECT) }),
    ])(),
} as const satisfies Record<string, (random: Random, signer: LedgerSigner) => Uint8Array>;
