import { readFileSync } from 'node:fs';
import { AbiCoder, Interface, id, SigningKey } from 'ethers';
import { describe, expect, test } from 'vitest';
import { writeAssociation } from '../../ledger/index.ts';
import { chainAddressOf, evmAddressOf, hexToBytes, toBech32, toHexData } from '../../primitives/index.ts';
import type { EvmHost, EvmMessage } from '../evmEngine.ts';
import { CALLER, OTHER, runCode, runInTest, testHost } from '../evmTestHost.ts';

const PRECOMPILE = hexToBytes('0000000000000000000000000000000000001004');
const EVM_ADDRESS = hexToBytes('e5'.repeat(20));
const CHAIN_ADDRESS = hexToBytes('c4'.repeat(20));
const abi = new Interface(
  readFileSync(new URL('../../../../docs/abi/address.json', import.meta.url), 'utf8'),
);

function ask(data: string, value = 0n) {
  const host = testHost();
  writeAssociation(host.state.overlay, EVM_ADDRESS, CHAIN_ADDRESS);
  return runInTest(host, { to: PRECOMPILE, data: hexToBytes(data), value, gasLimit: 50_000n });
}

describe('the address precompile', () => {
  test.each([abi.getFunction('getChainAddr')!.selector, '0x0c3c20ed'])(
    'gives the chain address under selector %s',
    async (selector) => {
      const argument = AbiCoder.defaultAbiCoder().encode(['address'], [toHexData(EVM_ADDRESS)]);
      const result = await ask(selector + argument.slice(2));
      expect(result.error).toBeUndefined();
      expect(abi.decodeFunctionResult('getChainAddr', result.returnData)[0]).toBe(toBech32(CHAIN_ADDRESS));
      expect(result.gasUsed).toBe(1_000n + 3n * 32n);
    },
  );

  test('gives the EVM address', async () => {
    const data = abi.encodeFunctionData('getEvmAddr', [toBech32(CHAIN_ADDRESS)]);
    expect(abi.getFunction('getEvmAddr')!.selector).toBe('0x1778e539');
    const result = await ask(data);
    expect(abi.decodeFunctionResult('getEvmAddr', result.returnData)[0].toLowerCase()).toBe(
      toHexData(EVM_ADDRESS),
    );
  });

  test('reverts without data and takes all gas when it has no answer', async () => {
    const questions = [
      '0x',
      '0x0c3c20',
      '0xffffffff',
      '0x0c3c20ed',
      abi.encodeFunctionData('getChainAddr', [toHexData(OTHER)]),
      abi.encodeFunctionData('getEvmAddr', [toBech32(OTHER)]),
      abi.encodeFunctionData('getEvmAddr', ['chain1nothing']),
      `0x1778e539${'ff'.repeat(64)}`,
    ];
    for (const question of questions) {
      const result = await ask(question);
      expect([result.error, result.returnData.length, result.gasUsed]).toEqual([
        'execution reverted',
        0,
        50_000n,
      ]);
    }
  });

  test('is reached from a contract by STATICCALL', async () => {
    const host = testHost();
    writeAssociation(host.state.overlay, EVM_ADDRESS, CHAIN_ADDRESS);
    // CALLDATACOPY everything, STATICCALL 0x1004 with it, return what came back.
    const code = '365f5f375f5f365f6110045afa503d5f5f3e3d5ff3';
    const data = hexToBytes(abi.encodeFunctionData('getChainAddr', [toHexData(EVM_ADDRESS)]));
    const result = await runCode(host, code, { data });
    expect(abi.decodeFunctionResult('getChainAddr', result.returnData)[0]).toBe(toBech32(CHAIN_ADDRESS));
  });

  test('costs a caller what the answer costs, and all that it forwards when there is none', async () => {
    // STATICCALL 0x1004 with 0x4000 gas and the call data; return the gas that went, measured by GAS.
    const code = '365f5f375a5f5f365f611004614000fa505a90035f5260205ff3';
    const gasFor = async (address: Uint8Array): Promise<bigint> => {
      const host = testHost();
      writeAssociation(host.state.overlay, EVM_ADDRESS, CHAIN_ADDRESS);
      const data = hexToBytes(abi.encodeFunctionData('getChainAddr', [toHexData(address)]));
      return BigInt(toHexData((await runCode(host, code, { data })).returnData));
    };
    const [answered, failed] = [await gasFor(EVM_ADDRESS), await gasFor(OTHER)];
    expect(failed - answered).toBe(0x4000n - (1_000n + 3n * 32n));
  });

  test('refuses value, and is out of gas below its price', async () => {
    const data = abi.encodeFunctionData('getChainAddr', [toHexData(EVM_ADDRESS)]);
    const host = testHost();
    writeAssociation(host.state.overlay, EVM_ADDRESS, CHAIN_ADDRESS);
    const poor = await runInTest(host, { to: PRECOMPILE, data: hexToBytes(data), gasLimit: 1_000n });
    expect(poor.error).toBe('out of gas');
    host.state.setBalance(CALLER, 5n);
    const paid = await runInTest(host, { to: PRECOMPILE, data: hexToBytes(data), value: 5n });
    expect(paid.error).toBe('execution reverted');
  });
});

describe('association by the precompile', () => {
  const key = new SigningKey(`0x${'11'.repeat(32)}`);
  const publicKey = hexToBytes(key.compressedPublicKey);
  const chain = toBech32(chainAddressOf(publicKey));
  const evm = toHexData(evmAddressOf(hexToBytes(key.publicKey)));
  const signedMessage = (message: string): string => {
    const { yParity, r, s } = key.sign(id(message));
    return abi.encodeFunctionData('associate', [`0x${yParity}`, r, s.slice(2), message]);
  };
  const run = (host: EvmHost, data: string, change: Partial<EvmMessage> = {}) =>
    runInTest(host, { to: PRECOMPILE, data: hexToBytes(data), gasLimit: 60_000n, ...change });

  test.each([
    ['a signature', signedMessage('it is me')],
    ['a public key', abi.encodeFunctionData('associatePubKey', [key.compressedPublicKey.slice(2)])],
  ])(
    'binds the owner of %s once, for 50,000 gas, and moves what the cast account held',
    async (_what, data) => {
      const host = testHost();
      host.state.setBalance(hexToBytes(evm), 7n);
      const result = await run(host, data);
      expect(result).toMatchObject({ error: undefined, gasUsed: 50_000n });
      const name = abi.parseTransaction({ data })!.name;
      const [chainAddr, evmAddr] = abi.decodeFunctionResult(name, result.returnData) as unknown as string[];
      expect([chainAddr, evmAddr!.toLowerCase()]).toEqual([chain, evm]);
      expect(host.state.balance(hexToBytes(evm))).toBe(7n);
      const asked = await run(host, abi.encodeFunctionData('getChainAddr', [evm]));
      expect(abi.decodeFunctionResult('getChainAddr', asked.returnData)[0]).toBe(chain);
      expect((await run(host, data)).error).toBe('execution reverted');
    },
  );

  test.each([
    ['associate', (length: number) => signedMessage('m'.repeat(length))],
    [
      'associatePubKey',
      (length: number) => abi.encodeFunctionData('associatePubKey', ['02'.padEnd(2 * length, '0')]),
    ],
  ] as const)('charges %s for a long text by its length', async (_name, dataOf) => {
    const host = testHost();
    const usedBy = async (length: number): Promise<bigint> => {
      const data = dataOf(length);
      const gasLimit = 10_000_000n;
      // Nothing but its price is left to fail it for.
      const price = 50_000n + 3n * BigInt(data.length / 2 - 5 - 1_024);
      expect((await run(host, data, { gasLimit: price - 1n })).error).toBe('out of gas');
      const { error, gasUsed } = await run(host, data, { gasLimit });
      return error === undefined ? gasUsed : price;
    };
    const [short, long] = [await usedBy(2_000), await usedBy(102_000)];
    expect(long - short).toBeGreaterThanOrEqual(300_000n);
  });

  test('fails on what is no key or signature, and below its price', async () => {
    const broken = [
      abi.encodeFunctionData('associatePubKey', ['02']),
      abi.encodeFunctionData('associatePubKey', ['ff'.repeat(33)]),
      abi.encodeFunctionData('associatePubKey', ['zz']),
      abi.encodeFunctionData('associate', ['2', '0x1', '0x1', 'x']),
      abi.encodeFunctionData('associate', ['1', `0x${'ff'.repeat(32)}`, '0x1', 'x']),
    ];
    const host = testHost();
    for (const data of broken) expect((await run(host, data)).error).toBe('execution reverted');
    expect((await run(host, signedMessage('me'), { gasLimit: 49_999n })).error).toBe('out of gas');
    expect((await run(host, abi.encodeFunctionData('getChainAddr', [evm]))).error).toBe('execution reverted');
  });

  test('writes nothing in a STATICCALL', async () => {
    const host = testHost();
    const code = '365f5f375f5f365f6110045afa5f5260205ff3';
    const tried = await runCode(host, code, { data: hexToBytes(signedMessage('me')) });
    expect(BigInt(toHexData(tried.returnData))).toBe(0n);
    expect((await run(host, abi.encodeFunctionData('getChainAddr', [evm]))).error).toBe('execution reverted');
  });
});
