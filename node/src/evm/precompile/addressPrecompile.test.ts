import { readFileSync } from 'node:fs';
import { AbiCoder, Interface } from 'ethers';
import { describe, expect, test } from 'vitest';
import { writeAssociation } from '../../ledger/index.ts';
import { hexToBytes, toBech32, toHexData } from '../../primitives/index.ts';
import { OTHER, runCode, runInTest, testHost } from '../evmTestHost.ts';

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
});
