import { readFileSync } from 'node:fs';
import { Interface } from 'ethers';
import { describe, expect, it } from 'vitest';
import { readBondedSet } from '../../node/src/ledger/index.ts';
import { hexToBytes } from '../../node/src/primitives/index.ts';
import { messages, operatorText, ValidatorChain } from '../support/validatorChain.ts';

const MILLION = 1_000_000;
const STAKING = hexToBytes('0000000000000000000000000000000000001005');

describe('who was bonded when a block began', () => {
  it('is kept for as many blocks as the parameter says, in rows where something changed', async () => {
    const entries = 8;
    const chain = await ValidatorChain.start({
      stakes: [10 * MILLION, 2 * MILLION],
      params: { historical_entries: entries },
    });
    const expected = new Map<number, string[]>();
    const seen = () => [0, 1].map((seed) => chain.validator(seed)!.tokens);
    for (let i = 0; i < 30; i++) {
      expected.set(chain.chain.height + 1, seen());
      if (i % 5 === 0) await chain.run(5, messages.delegate(5, 0, 1000 * (i + 1)));
      else await chain.block();
      const { height } = chain.chain;
      for (let at = 0; at <= height + 1; at++) {
        const set = readBondedSet(chain.state, BigInt(at), height);
        const isKept = at > Math.max(1, height - entries) && at <= height;
        expect(
          set?.map(({ tokens }) => tokens),
          `${at} of ${height}`,
        ).toEqual(isKept ? expected.get(at) : undefined);
      }
      expect(chain.state.rows('staking').filter(([key]) => key[0] === 0xa3).length).toBeLessThan(5);
    }
  });

  it('is told by the staking precompile', async () => {
    const chain = await ValidatorChain.start({ stakes: [2 * MILLION, 10 * MILLION] });
    await chain.blocks(3);
    const abi = new Interface(readFileSync('docs/abi/staking.json', 'utf8'));
    const ask = async (height: number) => {
      const data = hexToBytes(abi.encodeFunctionData('historicalInfo', [height]));
      return chain.chain.execution.call({ to: STAKING, data }, chain.state, chain.nextContext());
    };
    const { returnData } = await ask(3);
    const [[height, validators]] = abi.decodeFunctionResult('historicalInfo', returnData).toArray(true);
    expect(height).toBe(3n);
    expect(validators.map(([operator]: string[]) => operator)).toEqual([operatorText(1), operatorText(0)]);
    for (const unknown of [-1, 0, 1, 99]) expect((await ask(unknown)).error).not.toBe('');
  });
});
