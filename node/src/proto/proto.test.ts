import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { QueryParamsResponse } from 'cosmjs-types/cosmos/slashing/v1beta1/query';
import { QueryValidatorResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query';
import { MsgCreateValidator } from 'cosmjs-types/cosmos/staking/v1beta1/tx';
import { Tx, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openProtoSchema, packDescriptors } from './index.ts';

const schema = openProtoSchema();
const BUF = 'node_modules/@bufbuild/buf-linux-x64/bin/buf';
const VALIDATORS = 'cosmos.staking.v1beta1.QueryValidatorsRequest';
const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? 500);

describe('the compiled protobuf files', () => {
  it('are those of the sources', () => {
    const image = execFileSync(
      BUF,
      ['build', 'node/proto', '--as-file-descriptor-set', '-o', '-#format=binpb'],
      { maxBuffer: 1 << 26 },
    );
    const committed = readFileSync('node/proto/descriptors.binpb');
    expect(Buffer.from(packDescriptors(image)).equals(committed)).toBe(true);
  });

  it('carry the HTTP rules and comments', () => {
    const balance = schema.methods.find(({ path }) => path === '/cosmos.bank.v1beta1.Query/Balance');
    expect(balance).toMatchObject({
      input: 'cosmos.bank.v1beta1.QueryBalanceRequest',
      http: [{ verb: 'GET', template: '/cosmos/bank/v1beta1/balances/{address}/by_denom', body: false }],
      about: 'Balance queries the balance of a single coin for a single account.',
    });
  });
});

describe("the gateway's JSON", () => {
  it('reads what it prints, with decimals and packed messages as the wire has them', () => {
    const create = MsgCreateValidator.fromPartial({
      description: { moniker: 'one' },
      commission: { rate: '50000000000000000', maxRate: '200000000000000000', maxChangeRate: '0' },
      minSelfDelegation: '1',
      validatorAddress: 'chainvaloper1x',
      pubkey: { typeUrl: '/cosmos.crypto.ed25519.PubKey', value: Uint8Array.of(10, 2, 1, 2) },
      value: { denom: 'usei', amount: '5' },
    });
    const value = MsgCreateValidator.encode(create).finish();
    const body = TxBody.fromPartial({ messages: [{ typeUrl: MsgCreateValidator.typeUrl, value }] });
    const bytes = Tx.encode(Tx.fromPartial({ body })).finish();
    const json = schema.toJson('cosmos.tx.v1beta1.Tx', bytes);
    expect(json).toMatchObject({
      body: { messages: [{ commission: { rate: '0.050000000000000000' }, pubkey: { key: 'AQI=' } }] },
    });
    expect(Buffer.from(schema.fromJson('cosmos.tx.v1beta1.Tx', JSON.stringify(json)))).toEqual(
      Buffer.from(bytes),
    );
  });

  it('prints a validator as the Cosmos SDK does', () => {
    const bytes = QueryValidatorResponse.encode(
      QueryValidatorResponse.fromPartial({
        validator: {
          operatorAddress: 'chainvaloper1x',
          consensusPubkey: {
            typeUrl: '/cosmos.crypto.ed25519.PubKey',
            value: Uint8Array.of(10, 2, 1, 2),
          },
          status: 3,
          tokens: '1000000',
          delegatorShares: '1000000000000000000000000',
          unbondingTime: { seconds: 1_700_000_000n, nanos: 120_000_000 },
          commission: {
            commissionRates: { rate: '50000000000000000', maxRate: '200000000000000000', maxChangeRate: '0' },
          },
          minSelfDelegation: '1',
        },
      }),
    ).finish();
    expect(schema.toJson('cosmos.staking.v1beta1.QueryValidatorResponse', bytes)).toEqual({
      validator: {
        operator_address: 'chainvaloper1x',
        consensus_pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: 'AQI=' },
        jailed: false,
        status: 'BOND_STATUS_BONDED',
        tokens: '1000000',
        delegator_shares: '1000000.000000000000000000',
        description: { moniker: '', identity: '', website: '', security_contact: '', details: '' },
        unbonding_height: '0',
        unbonding_time: '2023-11-14T22:13:20.120Z',
        commission: {
          commission_rates: {
            rate: '0.050000000000000000',
            max_rate: '0.200000000000000000',
            max_change_rate: '0.000000000000000000',
          },
          update_time: '1970-01-01T00:00:00Z',
        },
        min_self_delegation: '1',
        unbonding_on_hold_ref_count: '0',
        unbonding_ids: [],
      },
    });
  });

  it('prints decimals that travel as bytes, durations, absent messages and empty bytes', () => {
    const params = QueryParamsResponse.encode(
      QueryParamsResponse.fromPartial({
        params: {
          signedBlocksWindow: 100n,
          minSignedPerWindow: Buffer.from('500000000000000000'),
          downtimeJailDuration: { seconds: 600n, nanos: 0 },
        },
      }),
    ).finish();
    expect(schema.toJson('cosmos.slashing.v1beta1.QueryParamsResponse', params)).toMatchObject({
      params: {
        signed_blocks_window: '100',
        min_signed_per_window: '0.500000000000000000',
        downtime_jail_duration: '600s',
      },
    });
    const nothing = new Uint8Array(0);
    expect(schema.toJson('cosmos.bank.v1beta1.QueryBalanceResponse', nothing)).toEqual({ balance: null });
    expect(schema.toJson('cosmos.base.query.v1beta1.PageResponse', nothing)).toEqual({
      next_key: null,
      total: '0',
    });
  });

  it('keeps the bytes of an Any that it does not know', () => {
    const tx = Buffer.from(`0a0c0a0a0a052f612e42431201ff`, 'hex');
    expect(schema.toJson('cosmos.tx.v1beta1.Tx', tx)).toMatchObject({
      body: { messages: [{ '@type': '/a.BC', value: '/w==' }] },
    });
  });

  it('refuses bytes that are no such message', () => {
    expect(() => schema.toJson(VALIDATORS, Uint8Array.of(0x0a, 0xff))).toThrow(
      expect.objectContaining({ code: 'PROTO_BAD_INPUT' }),
    );
  });
});

describe('parameters of a query', () => {
  const parsed = (parameters: [string, string][]) =>
    schema.toJson(VALIDATORS, schema.fromParameters(VALIDATORS, parameters));

  it('reach nested fields under both names, and unknown ones are passed over', () => {
    expect(
      parsed([
        ['status', 'BOND_STATUS_BONDED'],
        ['pagination.limit', '5'],
        ['pagination.countTotal', 'true'],
        ['pagination.key', 'AAE='],
        ['other', 'x'],
        ['pagination.other', 'x'],
      ]),
    ).toEqual({
      status: 'BOND_STATUS_BONDED',
      pagination: { key: 'AAE=', offset: '0', limit: '5', count_total: true, reverse: false },
    });
  });

  it.each([
    ['pagination.limit', '-1', 'value out of range'],
    ['pagination.limit', '18446744073709551616', 'value out of range'],
    ['pagination.limit', '5.0', 'invalid syntax'],
    ['pagination.reverse', 'yes', 'invalid syntax'],
    ['pagination.key', '%%', 'illegal base64 data'],
    ['pagination', '5', 'a message has no text form'],
  ])('refuses %s=%s, naming it', (name, text, problem) => {
    expect(() => parsed([[name, text]])).toThrow(
      expect.objectContaining({
        code: 'PROTO_BAD_INPUT',
        message: expect.stringMatching(new RegExp(`parameter: ${name}, .*${problem}`)),
      }),
    );
  });

  it('are read or refused with a coded error, whatever they are', () => {
    const requests = schema.methods.filter(({ http }) => http.length > 0).map(({ input }) => input);
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom('pagination.limit', 'pagination.key', 'height', 'events', 'tx', 'mode', '__proto__'),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...requests),
        fc.array(fc.tuple(name, fc.string({ unit: 'binary' }))),
        (type, parameters) => {
          try {
            schema.fromParameters(type, parameters);
          } catch (error) {
            expect(error).toMatchObject({ code: 'PROTO_BAD_INPUT' });
          }
        },
      ),
      { numRuns: FUZZ_RUNS },
    );
  });

  it('and bodies too', () => {
    const type = 'cosmos.tx.v1beta1.BroadcastTxRequest';
    expect(
      schema.toJson(type, schema.fromBody(type, '{"tx_bytes":"AQI=","mode":"BROADCAST_MODE_SYNC"}', [])),
    ).toEqual({
      tx_bytes: 'AQI=',
      mode: 'BROADCAST_MODE_SYNC',
    });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          schema.fromBody(type, text, []);
        } catch (error) {
          expect(error).toMatchObject({ code: 'PROTO_BAD_INPUT' });
        }
      }),
      { numRuns: FUZZ_RUNS },
    );
  });
});
