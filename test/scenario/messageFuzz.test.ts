import {
  MsgFundCommunityPool,
  MsgSetWithdrawAddress,
  MsgWithdrawDelegatorReward,
  MsgWithdrawValidatorCommission,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx';
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx';
import {
  MsgBeginRedelegate,
  MsgCreateValidator,
  MsgDelegate,
  MsgEditValidator,
  MsgUndelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { EventLog, GasMeter, isLedgerError } from '../../node/src/ledger/index.ts';
import type { MessageContext } from '../../node/src/ledger/messages/messageKind.ts';
import { MESSAGES } from '../../node/src/ledger/messages/messageTable.ts';
import { Overlay } from '../../node/src/state/view/index.ts';
import { messages, ValidatorChain } from '../support/validatorChain.ts';

const RUNS = Number(process.env.LEDGER_FUZZ_RUNS ?? 600);

/** A message that goes through, as bytes; the codec's own type is of no matter here. */
const encoded = (
  codec: { encode(message: never): { finish(): Uint8Array } },
  { value }: { value: unknown },
) => codec.encode(value as never).finish();

const SAMPLES: readonly (readonly [typeUrl: string, bytes: Uint8Array])[] = [
  [MsgCreateValidator.typeUrl, encoded(MsgCreateValidator, messages.create(3, 2_000_000))],
  [MsgEditValidator.typeUrl, encoded(MsgEditValidator, messages.edit(0, { minSelfDelegation: '2' }))],
  [MsgDelegate.typeUrl, encoded(MsgDelegate, messages.delegate(5, 0, 10))],
  [MsgUndelegate.typeUrl, encoded(MsgUndelegate, messages.undelegate(0, 0, 10))],
  [MsgBeginRedelegate.typeUrl, encoded(MsgBeginRedelegate, messages.redelegate(0, { from: 0, to: 1 }, 10))],
  [MsgWithdrawDelegatorReward.typeUrl, encoded(MsgWithdrawDelegatorReward, messages.withdraw(0, 0))],
  [MsgWithdrawValidatorCommission.typeUrl, encoded(MsgWithdrawValidatorCommission, messages.commission(0))],
  [MsgSetWithdrawAddress.typeUrl, encoded(MsgSetWithdrawAddress, messages.withdrawTo(0, 1))],
  [MsgFundCommunityPool.typeUrl, encoded(MsgFundCommunityPool, messages.fund(0, 1))],
  [MsgUnjail.typeUrl, encoded(MsgUnjail, messages.unjail(0))],
];

/** Bytes changed, cut, put in or doubled. */
const damage = fc.array(
  fc.record({ at: fc.nat(400), kind: fc.constantFrom('set', 'cut', 'insert', 'digit'), byte: fc.nat(255) }),
  { minLength: 1, maxLength: 4 },
);

function damaged(
  bytes: Uint8Array,
  wounds: readonly { at: number; kind: string; byte: number }[],
): Uint8Array {
  const result = [...bytes];
  for (const { at, kind, byte } of wounds) {
    const place = at % (result.length || 1);
    if (kind === 'set') result[place] = byte;
    else if (kind === 'cut') result.splice(place, 1);
    else if (kind === 'insert') result.splice(place, 0, byte);
    // A digit where one stood: amounts, rates and minimums of all sizes.
    else if (result[place]! >= 0x30 && result[place]! <= 0x39) result[place] = 0x30 + (byte % 10);
  }
  return Uint8Array.from(result);
}

let chain: ValidatorChain;
beforeAll(async () => {
  chain = await ValidatorChain.start({ stakes: [5_000_000, 4_000_000] });
});

describe('a damaged message', () => {
  it('is refused in the ledger’s own words or runs: a block never fails for it', () => {
    let ran = 0;
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLES), damage, ([typeUrl, bytes], wounds) => {
        let message: ReturnType<NonNullable<ReturnType<typeof MESSAGES.get>>['read']>;
        try {
          message = MESSAGES.get(typeUrl)!.read(damaged(bytes, wounds));
        } catch {
          // The transaction's decoder takes any error of a message's codec for a parse error.
          return;
        }
        const overlay = new Overlay(chain.state);
        const context: MessageContext = {
          height: 9,
          time: { seconds: chain.seconds, nanos: 0 },
          overlay,
          events: new EventLog(),
          meter: new GasMeter(10n ** 9n),
          pointerTransfers: [],
          deployPointer: () => expect.fail('none of these registers a pointer'),
        };
        for (const step of [() => message.validate(), () => message.amino(), () => message.run(context)]) {
          try {
            step();
          } catch (error) {
            expect(isLedgerError(error), String(error)).toBe(true);
            return;
          }
        }
        ran++;
      }),
      { numRuns: RUNS },
    );
    expect(ran).toBeGreaterThan(0);
  });
});
