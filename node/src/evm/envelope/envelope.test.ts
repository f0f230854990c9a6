import { AuthInfo, Fee, SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { Any } from 'cosmjs-types/google/protobuf/any';
import { Wallet } from 'ethers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, hexToBytes } from '../../primitives/index.ts';
import { decodeTransaction } from '../transaction/decode.ts';
import { EVM_MESSAGE_TYPE_URL, unwrapEvmTransaction, wrapEvmTransaction } from './envelope.ts';
import { ProtobufWriter, readFields } from './protobuf.ts';

const wallet = new Wallet('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const WORD = `0x${'00'.repeat(31)}07`;
const CHAIN_ID = 713_714n;

const requests = fc
  .record({
    type: fc.constantFrom(0, 1, 2, 4),
    nonce: fc.nat(),
    gasLimit: fc.bigInt(0n, 2n ** 63n - 1n),
    maxFeePerGas: fc.bigInt(1n, 2n ** 100n),
    to: fc.option(fc.constant(ADDRESS)),
    value: fc.bigInt(0n, 2n ** 200n),
    data: fc.uint8Array({ maxLength: 200 }),
    keys: fc.nat(3),
  })
  .map(({ type, maxFeePerGas, to, keys, ...fields }) => ({
    ...fields,
    type,
    chainId: CHAIN_ID,
    to: type === 4 ? ADDRESS : to,
    ...(type <= 1 ? { gasPrice: maxFeePerGas } : { maxFeePerGas, maxPriorityFeePerGas: 1n }),
    ...(type === 0 ? {} : { accessList: [{ address: ADDRESS, storageKeys: Array(keys).fill(WORD) }] }),
    ...(type === 4 ? { authorizationList: [AUTHORIZATION] } : {}),
  }));
const AUTHORIZATION = wallet.authorizeSync({ address: ADDRESS, chainId: CHAIN_ID, nonce: 0n });
const signedRaw = async (request: object): Promise<Uint8Array> =>
  hexToBytes(await wallet.signTransaction(request));

async function sample() {
  const raw = await signedRaw({ type: 2, chainId: CHAIN_ID, nonce: 0, to: ADDRESS, gasLimit: 21_000n });
  const envelope = wrapEvmTransaction(decodeTransaction(raw));
  const tx = TxRaw.decode(envelope);
  return { raw, envelope, tx, body: TxBody.decode(tx.bodyBytes) };
}

describe('the ledger envelope of an EVM transaction', () => {
  test('gives back the same transaction', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const raw = await signedRaw(request);
        const unwrapped = unwrapEvmTransaction(wrapEvmTransaction(decodeTransaction(raw)))!;
        expect(bytesToHex(unwrapped.raw)).toBe(bytesToHex(raw));
        expect(unwrapped.type).toBe(request.type);
      }),
      { numRuns: 40 },
    );
  });

  test('is a ledger transaction with one message and nothing else', async () => {
    const { tx, body } = await sample();
    expect(body.messages.map(({ typeUrl }) => typeUrl)).toEqual([EVM_MESSAGE_TYPE_URL]);
    expect(body.memo).toBe('');
    expect(tx.signatures).toEqual([]);
    const data = Any.decode(readFields(body.messages[0]!.value)![0]!.value as Uint8Array);
    expect(data.typeUrl).toBe('/chain.evm.v1.DynamicFeeTx');
    expect(AuthInfo.decode(tx.authInfoBytes).fee).toEqual(Fee.fromPartial({}));
  });

  test('may carry a gas estimate, or no fee message at all', async () => {
    const { tx, raw } = await sample();
    for (const authInfoBytes of [new Uint8Array(0), hexToBytes('120028d0a401')]) {
      const encoded = TxRaw.encode({ ...tx, authInfoBytes }).finish();
      expect(bytesToHex(unwrapEvmTransaction(encoded)!.raw)).toBe(bytesToHex(raw));
    }
  });

  test('other ledger transactions, and bytes that are none, hold no EVM transaction', () => {
    const body = TxBody.encode(
      TxBody.fromPartial({ messages: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend' }] }),
    ).finish();
    expect(
      unwrapEvmTransaction(TxRaw.encode(TxRaw.fromPartial({ bodyBytes: body })).finish()),
    ).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(unwrapEvmTransaction(bytes)).toBeUndefined();
      }),
    );
  });

  test('refuses what an EVM transaction must not carry', async () => {
    const { tx, body } = await sample();
    const option = { typeUrl: '/x', value: new Uint8Array(0) };
    const withBody = (change: Partial<TxBody>) => ({
      ...tx,
      bodyBytes: TxBody.encode({ ...body, ...change }).finish(),
    });
    const withAuth = (change: Partial<AuthInfo>) => ({
      ...tx,
      authInfoBytes: AuthInfo.encode({ ...AuthInfo.fromPartial({}), ...change }).finish(),
    });
    const faults: [TxRaw, string][] = [
      [withBody({ memo: 'x' }), 'memo must be empty for EVM txs'],
      [withBody({ timeoutHeight: 1n }), 'timeout_height must be zero for EVM txs'],
      [withBody({ extensionOptions: [option] }), 'extension options must be empty for EVM txs'],
      [withBody({ nonCriticalExtensionOptions: [option] }), 'extension options must be empty for EVM txs'],
      [withBody({ messages: [...body.messages, option] }), 'an EVM tx must have exactly one message'],
      [withAuth({ signerInfos: [SignerInfo.fromPartial({})] }), 'signer_infos must be empty for EVM txs'],
      [
        withAuth({ fee: Fee.fromPartial({ amount: [{ denom: 'usei', amount: '1' }] }) }),
        'fee amount must be empty for EVM txs',
      ],
      [withAuth({ fee: Fee.fromPartial({ payer: 'a' }) }), 'fee payer and granter must be empty for EVM txs'],
      [{ ...tx, signatures: [Uint8Array.of(1)] }, 'signatures must be empty for EVM txs'],
    ];
    for (const [fault, message] of faults) {
      expect(() => unwrapEvmTransaction(TxRaw.encode(fault).finish())).toThrow(
        expect.objectContaining({ message, fields: { abciCode: 18 } }),
      );
    }
  });

  test('refuses a padded or reordered encoding', async () => {
    const { envelope, tx, body } = await sample();
    const unknownField = hexToBytes('980601');
    expect(() => unwrapEvmTransaction(concatBytes(envelope, unknownField))).toThrow('canonical');
    const padded = concatBytes(TxBody.encode(body).finish(), hexToBytes('1800'));
    expect(() => unwrapEvmTransaction(TxRaw.encode({ ...tx, bodyBytes: padded }).finish())).toThrow(
      'canonical',
    );
  });

  test('refuses blob transactions as unsupported and bad fields by name', () => {
    const envelope = (typeUrl: string, value: Uint8Array): Uint8Array => {
      const data = new ProtobufWriter().string(1, typeUrl).bytes(2, value).finish();
      const message = new ProtobufWriter().message(1, data).finish();
      const any = new ProtobufWriter().string(1, EVM_MESSAGE_TYPE_URL).bytes(2, message).finish();
      const body = new ProtobufWriter().message(1, any).finish();
      return new ProtobufWriter().bytes(1, body).finish();
    };
    expect(() => unwrapEvmTransaction(envelope('/chain.evm.v1.BlobTx', new Uint8Array(0)))).toThrow(
      expect.objectContaining({ message: 'unsupported transaction type', fields: { abciCode: 44 } }),
    );
    const legacy = (fields: ProtobufWriter) => () =>
      unwrapEvmTransaction(envelope('/chain.evm.v1.LegacyTx', fields.finish()));
    expect(legacy(new ProtobufWriter().bytes(7, Uint8Array.of(0, 1)))).toThrow('invalid v: leading zero');
    expect(legacy(new ProtobufWriter().bytes(8, new Uint8Array(33).fill(1)))).toThrow('invalid r: too long');
    expect(legacy(new ProtobufWriter().string(4, '0x12'))).toThrow('invalid to address: wrong length');
    expect(legacy(new ProtobufWriter().string(2, '1e5'))).toThrow('invalid gas price: not a decimal number');
    expect(legacy(new ProtobufWriter().string(5, '9'.repeat(78)))).toThrow('invalid value: exceeds 256 bits');
  });
});
