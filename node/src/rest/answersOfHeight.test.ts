import { describe, expect, it } from 'vitest';
import { AnswersOfHeight, followsFromState } from './answersOfHeight.ts';

describe('answers of a height', () => {
  it('are kept until the next block, and only those of the newest', () => {
    let height = 7;
    const answers = new AnswersOfHeight(() => height);
    answers.keep('/a', 7, { body: 'seven' });
    answers.keep('/b', 6, { body: 'of the block before, which took its time' });
    expect([answers.find('/a')?.body, answers.find('/b')]).toEqual(['seven', undefined]);
    height = 8;
    expect(answers.find('/a')).toBeUndefined();
    answers.keep('/a', 7, { body: 'seven' });
    expect(answers.find('/a')).toBeUndefined();
    answers.keep('/a', 8, { body: 'eight' });
    answers.clear();
    expect(answers.find('/a')).toBeUndefined();
  });

  it('are no more than so many, and of no more than so many characters', () => {
    const answers = new AnswersOfHeight(() => 1);
    for (let i = 0; i < 3000; i++) answers.keep(`/${i}`, 1, { body: 'x' });
    expect([answers.find('/999')?.body, answers.find('/1000')]).toEqual(['x', undefined]);
    const large = new AnswersOfHeight(() => 1);
    for (let i = 0; i < 3; i++) large.keep(`/${i}`, 1, { body: 'x'.repeat(4_000_000) });
    expect([0, 1, 2].map((i) => large.find(`/${i}`) !== undefined)).toEqual([true, true, false]);
  });

  it('are those that follow from the state alone', () => {
    const paths = ['cosmos.bank.v1beta1.Query/Balance', 'chain.evm.v1.Query/Params'];
    const others = [
      'cosmos.tx.v1beta1.Service/GetTx',
      'cosmos.base.tendermint.v1beta1.Service/GetSyncing',
      'cosmos.base.node.v1beta1.Service/Status',
      'cosmos.staking.v1beta1.Query/HistoricalInfo',
    ];
    expect(paths.map((path) => followsFromState(`/${path}`))).toEqual([true, true]);
    expect(others.filter((path) => followsFromState(`/${path}`))).toEqual([]);
  });
});
