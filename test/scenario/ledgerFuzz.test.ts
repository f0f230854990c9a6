import { AuthInfo, Fee, SignerInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestChain, TOKEN, testAccount } from '../../node/src/execution/testChain.fixture.ts';
import {
  decodeLedgerTransaction,
  isLedgerError,
  readAccount,
  readSupplyWei,
} from '../../node/src/ledger/index.ts';
import { sendMessage, signLedger } from '../support/ledgerClient.ts';

const [rich, friend] = [testAccount(0), testAccount(1)];
// The fee collector is the first account of every genesis.
const RICH_NUMBER = 1;
const send = sendMessage(rich.chainAddress, friend.chainAddress, '1000');
let chain: TestChain;

beforeEach(async () => {
  chain = await TestChain.start();
});

/** Any bytes, and a good transaction with a few bytes changed or its end cut off. */
function damaged(raw: Uint8Array): fc.Arbitrary<Uint8Array> {
  const mutation = fc.record({ at: fc.nat(raw.length - 1), byte: fc.nat(255), cut: fc.nat(raw.length) });
  return fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(mutation, { minLength: 1, maxLength: 4 }).map((mutations) => {
      const changed = Uint8Array.from(raw);
      for (const { at, byte } of mutations) changed[at] = byte;
      return mutations[0]!.cut % 3 === 0 ? changed.subarray(0, mutations[0]!.cut) : changed;
    }),
  );
}

const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? 200);

describe('bytes that nobody signed', () => {
  it.each([
    [
      'a key that is no protobuf',
      { publicKey: { typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: Uint8Array.of(10, 101, 3) } },
      2,
    ],
    [
      'a key of several that is no protobuf',
      { publicKey: { typeUrl: '/cosmos.crypto.multisig.LegacyAminoPubKey', value: Uint8Array.of(18, 99) } },
      2,
    ],
    [
      'a key of another curve',
      { publicKey: { typeUrl: '/cosmos.crypto.ed25519.PubKey', value: Uint8Array.of(10, 0) } },
      8,
    ],
  ])('are refused for %s, also in a block', async (_what, change, code) => {
    const tx = TxRaw.decode(await signLedger(rich, [send], { accountNumber: RICH_NUMBER }));
    const authInfo = AuthInfo.decode(tx.authInfoBytes);
    const signerInfos = [{ ...authInfo.signerInfos[0]!, ...change }];
    const authInfoBytes = AuthInfo.encode({ ...authInfo, signerInfos }).finish();
    const raw = TxRaw.encode({ ...tx, authInfoBytes }).finish();
    expect(() => chain.execution.checkTransaction(raw, chain.state, chain.context())).toThrow(
      expect.objectContaining({ fields: expect.objectContaining({ abciCode: code, codespace: 'sdk' }) }),
    );
    expect((await chain.block([raw])).results[0]).toMatchObject({ code, codespace: 'sdk' });
  });

  it('are refused for fields that nobody knows, wherever they are', async () => {
    const tx = TxRaw.decode(await signLedger(rich, [send], { accountNumber: RICH_NUMBER, mode: 'amino' }));
    const authInfo = AuthInfo.decode(tx.authInfoBytes);
    const signer = SignerInfo.encode(authInfo.signerInfos[0]!).finish();
    // Field 5 of SignerInfo, which there is not, in front of what is.
    const extended = Buffer.concat([Buffer.of(42, 1, 7), signer]);
    const fee = Fee.encode(authInfo.fee!).finish();
    const authInfoBytes = Buffer.concat([
      Buffer.of(10, extended.length),
      extended,
      Buffer.of(18, fee.length),
      fee,
    ]);
    const raw = TxRaw.encode({ ...tx, authInfoBytes }).finish();
    expect((await chain.block([raw])).results[0]).toMatchObject({
      code: 2,
      log: expect.stringMatching(
        /errUnknownField "cosmos.tx.v1beta1.SignerInfo": {TagNum: 5, WireType:"bytes"}/,
      ),
    });
  });

  it('are refused in amino form with a field that may be passed over, for nobody signed it', async () => {
    const tx = TxRaw.decode(await signLedger(rich, [send], { accountNumber: RICH_NUMBER, mode: 'amino' }));
    // Field 1031 of TxBody, a number.
    const bodyBytes = Buffer.concat([tx.bodyBytes, Buffer.of(0xb8, 0x40, 7)]);
    const raw = TxRaw.encode({ ...tx, bodyBytes }).finish();
    expect((await chain.block([raw])).results[0]).toMatchObject({ code: 4, codespace: 'sdk' });
  });

  it('get a codespace and a code, from CheckTx and in a block, and change nothing', async () => {
    // What a signature of the amino form covers leaves its transaction's bytes some room; this form leaves none.
    const good = await signLedger(rich, [send], { accountNumber: RICH_NUMBER });
    const blocks = fc.array(damaged(good), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(blocks, async (all) => {
        const txs = all.filter((raw) => Buffer.compare(good, raw) !== 0);
        for (const raw of txs) {
          expect(() => chain.execution.checkTransaction(raw, chain.state, chain.context())).toThrow(
            expect.objectContaining({
              fields: expect.objectContaining({
                abciCode: expect.any(Number),
                codespace: expect.any(String),
              }),
            }),
          );
        }
        const { results } = await chain.block(txs);
        for (const { code, log } of results) {
          expect(code).toBeGreaterThan(0);
          expect(log).not.toMatch(/panic/);
        }
        expect(readAccount(chain.state, rich.chainAddress)!.sequence).toBe(0n);
        expect(readSupplyWei(chain.state)).toBe(300n * TOKEN);
      }),
      { numRuns: Math.ceil(FUZZ_RUNS / 10) },
    );
  }, 3_600_000);
});

describe('the transaction decoder', () => {
  it('answers any bytes with a transaction or a registered error', async () => {
    const raw = await signLedger(rich, [send], { accountNumber: RICH_NUMBER });
    const bytes = damaged(raw);
    fc.assert(
      fc.property(bytes, (input) => {
        try {
          decodeLedgerTransaction(input);
        } catch (error) {
          expect(isLedgerError(error)).toBe(true);
        }
      }),
      { numRuns: 5 * FUZZ_RUNS },
    );
  }, 600_000);

  it('refuses modes nested without end', () => {
    let mode = new Uint8Array(0);
    for (let depth = 0; depth < 3000; depth++) {
      const length = mode.length;
      const header = [
        0x12,
        ...(length < 128
          ? [length]
          : [
              (length & 127) | 128,
              ((length >> 7) & 127) | (length >> 14 ? 128 : 0),
              ...(length >> 14 ? [length >> 14] : []),
            ]),
      ];
      mode = Uint8Array.from([...header, ...mode]);
    }
    const raw = TxRaw.encode({ bodyBytes: new Uint8Array(0), authInfoBytes: mode, signatures: [] }).finish();
    expect(() => decodeLedgerTransaction(raw)).toThrow();
  });
});
