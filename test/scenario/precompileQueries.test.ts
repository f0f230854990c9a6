import { readFileSync } from 'node:fs';
import { Interface } from 'ethers';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSupply } from '../../node/src/ledger/index.ts';
import { hexToBytes, toHexData } from '../../node/src/primitives/index.ts';
import { GOLD, SILVER } from '../support/goldGenesis.ts';
import { accounts, LedgerChain, VALIDATOR } from '../support/ledgerChain.ts';

const friend = toHexData(accounts[1].evmAddress);
const hexOf = (text: string) => `0x${Buffer.from(text).toString('hex')}`;

let ledger: LedgerChain;
beforeAll(async () => {
  ledger = await LedgerChain.start();
});

function asking(name: string, last: string) {
  const abi = new Interface(readFileSync(`docs/abi/${name}.json`, 'utf8'));
  const to = hexToBytes(`0x${last.padStart(40, '0')}`);
  return async (method: string, ...args: readonly unknown[]) => {
    const data = hexToBytes(abi.encodeFunctionData(method, args));
    const { error, returnData } = await ledger.call({ to, data });
    expect(error).toBe('');
    return abi.decodeFunctionResult(method, returnData).toArray(true);
  };
}

describe('a precompile lists and describes', () => {
  it('denominations, balances and supply of the bank, in pages', async () => {
    const ask = asking('bank', '1001');
    const [gold] = await ask('denomMetadata', GOLD);
    const [all, next] = await ask('denomsMetadata', '0x');
    expect(all.map((one: readonly unknown[]) => one[2])).toEqual(expect.arrayContaining(['usei', GOLD]));
    expect(all).toContainEqual(gold);
    expect(next).toBe('0x');
    const [held] = await ask('spendableBalances', friend, '0x');
    expect(held).toContainEqual([1_000_000n, GOLD]);
    const [supplies] = await ask('totalSupply', '0x');
    expect(supplies).toContainEqual([3_000_000n, GOLD]);
    const units = readSupply(ledger.chain.state, 'usei');
    expect(await ask('totalSupply', hexOf('usei'))).toEqual([
      [
        [units, 'usei'],
        [3_000_000n, SILVER],
      ],
      '0x',
    ]);
    expect(await ask('params')).toEqual([[[], true]]);
  });

  it('parameters and slashes of distribution', async () => {
    const ask = asking('distribution', '1007');
    expect(await ask('params')).toEqual([['0.02', '0', '0', true]]);
    expect(await ask('validatorSlashes', VALIDATOR, 0n, 0n, '0x')).toEqual([[], '0x']);
  });
});
