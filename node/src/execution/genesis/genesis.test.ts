import { describe, expect, it } from 'vitest';
import { readCode, readNonce, readStorage } from '../../evm/index.ts';
import {
  FEE_COLLECTOR_EVM_ADDRESS,
  readAccount,
  readBalanceWei,
  readChainAddress,
  readSupply,
  readSupplyWei,
  readUnits,
} from '../../ledger/index.ts';
import { hexToBytes, toBech32 } from '../../primitives/index.ts';
import { developmentGenesis, TestChain, TOKEN, testAccount } from '../testChain.fixture.ts';
import { parseGenesis } from './parseGenesis.ts';

const contract = `0x${'c0'.repeat(20)}`;
const alone = testAccount(9);

describe('genesis', () => {
  it('funds and associates the accounts that it was made for', async () => {
    const { state } = await TestChain.start();
    for (const seed of [0, 1, 2]) {
      const { evmAddress, chainAddress, publicKey } = testAccount(seed);
      expect(readBalanceWei(state, evmAddress)).toBe(100n * TOKEN);
      expect(readAccount(state, chainAddress)!.publicKey).toEqual(publicKey);
    }
    expect(readSupplyWei(state)).toBe(300n * TOKEN);
    expect(readChainAddress(state, FEE_COLLECTOR_EVM_ADDRESS)).toBeDefined();
  });

  it('starts contracts with code, storage and nonce, and balances in wei and in coins', async () => {
    const { state } = await TestChain.start({
      evm: {
        chain_id: '5',
        params: { minimum_fee_per_gas: '2000000000' },
        accounts: [{ address: contract, code: '0x6001', storage: { '0x01': '0xff' } }],
      },
      bank: {
        balances: [
          { address: contract, wei: '1000000000007' },
          {
            address: toBech32(alone.chainAddress),
            coins: [
              { denom: 'usei', amount: '3' },
              { denom: 'uatom', amount: '4' },
            ],
          },
        ],
      },
    });
    const address = hexToBytes(contract);
    expect([...readCode(state, address)]).toEqual([0x60, 0x01]);
    expect(readNonce(state, address)).toBe(1n);
    expect(readStorage(state, address, new Uint8Array(32).fill(1, 31))[31]).toBe(0xff);
    expect(readBalanceWei(state, address)).toBe(1_000_000_000_007n);
    expect(readUnits(state, alone.chainAddress, 'usei')).toBe(3n);
    expect(readUnits(state, alone.chainAddress, 'uatom')).toBe(4n);
    expect(readSupply(state, 'uatom')).toBe(4n);
    expect(readSupplyWei(state)).toBe(4_000_000_000_007n);
  });

  it.each([
    [{ evm: {} }, /app_state\.evm\.chain_id is nothing; it must be a whole number/],
    [{ evm: { chain_id: 5 } }, /chain_id is 5; it must be a whole number as a string/],
    [{ evm: { chain_id: '5', parms: {} } }, /app_state\.evm\.parms .* left out; app_state\.evm has chain_id/],
    [
      { evm: { chain_id: '5', params: { minimum_fee_per_gas: '9', maximum_fee_per_gas: '8' } } },
      /minimum_fee_per_gas is "9"; it must be at most maximum_fee_per_gas/,
    ],
    [
      { evm: { chain_id: '5' }, bank: { balances: [{ address: 'chain1nonsense', wei: '1' }] } },
      /balances\[0\]\.address is "chain1nonsense"; it must be an address/,
    ],
    [
      { evm: { chain_id: '5', accounts: [{ address: '0x12' }] } },
      /accounts\[0\]\.address is "0x12"; it must be 0x-prefixed hex of 20 bytes/,
    ],
    [{ evm: { chain_id: '5', forks: { pragu: '0' } } }, /forks\.pragu .* left out; .* has berlin, london/],
    [{ evm: { chain_id: '5', forks: { osaka: '7' } } }, /forks is .*; it must be such that its oldest fork/],
    [
      { evm: { chain_id: '5', forks: { london: '0', cancun: '9', osaka: '8' } } },
      /forks\.osaka is "8"; it must be at least that of cancun/,
    ],
    ['nothing', /app_state is "nothing"; it must be an object/],
  ])('refuses %j by place, value and remedy', (appState, message) => {
    expect(() => parseGenesis(appState)).toThrow(message);
  });

  it('refuses a public key that is not that of both addresses', () => {
    const genesis = developmentGenesis();
    const [first, second] = genesis.auth.associations;
    const auth = { associations: [{ ...first!, public_key: second!.public_key! }] };
    expect(() => parseGenesis({ ...genesis, auth })).toThrow(
      /associations\[0\]\.public_key is .*the key of both/,
    );
  });

  it('reads back what it writes', () => {
    const genesis = developmentGenesis();
    expect(parseGenesis(JSON.parse(JSON.stringify(genesis)))).toEqual(parseGenesis(genesis));
    expect(parseGenesis(genesis).balances).toHaveLength(3);
  });
});
