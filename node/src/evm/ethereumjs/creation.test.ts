import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes, keccak256, padLeft } from '../../primitives/index.ts';
import { create2Address, createAddress } from '../contractAddress.ts';
import { CALLER, CONTRACT, OTHER, runCode, runInTest, testHost } from '../evmTestHost.ts';

const SLOT_0 = new Uint8Array(32);
const word = (value: number): Uint8Array => padLeft(hexToBytes(value.toString(16).padStart(8, '0')), 32);
const RETURN_TOP = '5f5260205ff3';
const DD = 'dd'.repeat(20);

describe('creating contracts', () => {
  const RUNTIME = '602a5f5260205ff3';
  /** Copies RUNTIME from behind itself and returns it. */
  const INIT = `6008600a5f3960085ff3${RUNTIME}`;

  test('stores code, hash and size, pays 200 gas a byte, and associates the address', async () => {
    const host = testHost();
    host.state.setNonce(CALLER, 1n);
    const result = await runInTest(host, { to: null, data: hexToBytes(INIT) });
    const address = createAddress(CALLER, 0n);
    expect(result.error).toBeUndefined();
    expect(bytesToHex(result.createdAddress!)).toBe(bytesToHex(address));
    expect(bytesToHex(host.state.code(address))).toBe(RUNTIME);
    expect(host.state.codeHash(address)).toEqual(keccak256(hexToBytes(RUNTIME)));
    expect([host.state.codeSize(address), host.state.nonce(address)]).toEqual([8, 1n]);
    expect(result.gasUsed).toBe(3n + 3n + 2n + 9n + 3n + 2n + 8n * 200n);
  });

  test('CREATE and CREATE2 give the known addresses', async () => {
    const host = testHost();
    const put = `69${INIT.slice(0, 20)}`;
    expect(put.length).toBe(22);
    const create = await runCode(host, `5f5f5ff0${RETURN_TOP}`);
    expect(bytesToHex(create.returnData.subarray(12))).toBe(bytesToHex(createAddress(CONTRACT, 0n)));
    expect(host.state.nonce(CONTRACT)).toBe(1n);
    const create2 = await runCode(host, `60075f5f5ff5${RETURN_TOP}`);
    expect(bytesToHex(create2.returnData.subarray(12))).toBe(
      bytesToHex(create2Address(CONTRACT, word(7), new Uint8Array(0))),
    );
    // EIP-1014, example 1.
    expect(bytesToHex(create2Address(new Uint8Array(20), new Uint8Array(32), hexToBytes('00')))).toBe(
      '4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38',
    );
  });

  test.each([
    ['invalid code: must not begin with 0xef', '60ef5f5360015ff3'],
    ['max code size exceeded', '6160015ff3'],
    ['contract creation code storage out of gas', '6120005ff3'],
  ])('fails with "%s"', async (error, init) => {
    const host = testHost();
    host.state.setNonce(CALLER, 1n);
    const gasLimit = error.includes('storage') ? 100_000n : 10_000_000n;
    const result = await runInTest(host, { to: null, data: hexToBytes(init), gasLimit });
    expect([result.error, result.gasUsed]).toEqual([error, gasLimit]);
    expect(host.state.isEmpty(createAddress(CALLER, 0n))).toBe(true);
  });

  test('refuses an address in use and init code above the limit', async () => {
    const host = testHost();
    host.state.setNonce(CALLER, 1n);
    host.state.setNonce(createAddress(CALLER, 0n), 1n);
    expect((await runInTest(host, { to: null, data: hexToBytes(INIT) })).error).toBe(
      'contract address collision',
    );
    const large = { to: null, data: new Uint8Array(49_153), gasLimit: 10_000_000n };
    expect((await runInTest(host, large)).error).toBe('max initcode size exceeded');
  });

  test('SELFDESTRUCT removes a contract in its own transaction only (EIP-6780)', async () => {
    const host = testHost();
    host.state.setBalance(CALLER, 50n);
    host.state.setNonce(CALLER, 1n);
    const suicide = `60015f5573${DD}ff`;
    const created = await runInTest(host, { to: null, value: 5n, data: hexToBytes(suicide) });
    expect(created.error).toBeUndefined();
    expect(host.state.isEmpty(created.createdAddress!)).toBe(true);
    expect(host.state.storage(created.createdAddress!, SLOT_0)).toEqual(SLOT_0);
    expect(host.state.balance(OTHER)).toBe(5n);
    await runCode(host, suicide, { value: 7n });
    expect(host.state.codeSize(CONTRACT)).toBeGreaterThan(0);
    expect([host.state.balance(CONTRACT), host.state.balance(OTHER)]).toEqual([0n, 12n]);
  });
});
