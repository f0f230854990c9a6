import { readFileSync } from 'node:fs';
import { Interface } from 'ethers';
import { describe, expect, it } from 'vitest';
import { PRECOMPILE_ABIS } from './precompileAbis.ts';

/** Selectors and topics of the reference (spec L-11). */
const SELECTORS: Readonly<Record<keyof typeof PRECOMPILE_ABIS, Readonly<Record<string, string>>>> = {
  bank: {
    all_balances: '0x0c5e2789',
    balance: '0x16cadeab',
    decimals: '0x3b2b3204',
    name: '0x5b43bc99',
    send: '0x5c05961b',
    sendNative: '0x6ff45dad',
    supply: '0x6923a1fd',
    symbol: '0x41bb0559',
    denomMetadata: '0xbf167569',
    denomsMetadata: '0xe445deef',
    params: '0xcff0ab96',
    spendableBalances: '0x6a089f6e',
    totalSupply: '0x2a0d79ef',
  },
  distribution: {
    rewards: '0x0700037d',
    setWithdrawAddress: '0x3ab1a494',
    withdrawDelegationRewards: '0x0442b1ca',
    withdrawMultipleDelegationRewards: '0xe35b426f',
    withdrawValidatorCommission: '0x0bde076d',
    communityPool: '0x14d140b0',
    delegationRewards: '0x9ad563b4',
    delegatorValidators: '0xa66cb605',
    delegatorWithdrawAddress: '0x5431f450',
    validatorCommission: '0x3dd40f78',
    validatorOutstandingRewards: '0x85b2d2da',
    params: '0xcff0ab96',
    validatorSlashes: '0x66e97e24',
  },
  staking: {
    createValidator: '0xefec2dde',
    delegate: '0x9ddb511a',
    delegation: '0x241774e6',
    delegatorDelegations: '0x4e762a8c',
    delegatorUnbondingDelegations: '0xe39fcf43',
    delegatorValidator: '0xf4fb6391',
    delegatorValidators: '0x21860cc0',
    editValidator: '0x5c501c10',
    historicalInfo: '0xc5e6e7d4',
    params: '0xcff0ab96',
    pool: '0x16f0115b',
    redelegate: '0x7dd0209d',
    redelegations: '0x7ac3ee49',
    unbondingDelegation: '0xa03ffee1',
    undelegate: '0x8dfc8897',
    validator: '0x0bc82a17',
    validatorDelegations: '0xb93ccf61',
    validatorUnbondingDelegations: '0x4c6e766b',
    validators: '0x99d080fa',
  },
  json: {
    extractAsBytes: '0x08d858e5',
    extractAsBytesList: '0x87cdf621',
    extractAsUint256: '0x5a558982',
    extractAsBytesFromArray: '0xb0bf8a47',
  },
  pointer: { addNativePointer: '0xc31d960f' },
  pointerview: {
    getNativePointer: '0x331df31c',
    getCW20Pointer: '0xdaed51b5',
    getCW721Pointer: '0xf0299ce6',
    getCW1155Pointer: '0x3555cb52',
  },
  gov: {
    submitProposal: '0x373d6d5e',
    deposit: '0x13765838',
    vote: '0x833f8a9b',
    voteWeighted: '0x59634a88',
    proposal: '0x7afa0aa3',
    proposals: '0xcbd80783',
    getVote: '0x335e4f9a',
    votes: '0xff564415',
    getDeposit: '0x77412782',
    deposits: '0xd53bea91',
    tallyResult: '0x101146be',
  },
  oracle: { getExchangeRates: '0xc15e3f2d', getOracleTwaps: '0xcd44a658' },
  p256: { verify: '0x8e760afe' },
};
const TOPICS: Readonly<Record<string, string>> = {
  Delegate: '0x00e1ef0aa5cbcdc2ae3ce2840984590ab429a9579c9a4b89ca93d77105d40e4a',
  DelegationRewardsWithdrawn: '0xe9a2d1cd042608da4ebdf1fafb4a4658dfc6954ce121138e784b3f9372505d11',
  Redelegate: '0x1b26c9b9360749ef957cd7ebe494c66814ab181ada52377ae3036fa24e9befa7',
  Undelegate: '0xc5c77bd61c771d282f85e9d57c074cc5da688158db5f4422a376569a2c69a573',
  ValidatorCreated: '0xb07ac1a8f86c67f4f2d948b6d93c8cedb3a821e5ee79475a9bbc1269a8753f37',
  ValidatorEdited: '0x3ac1616ab72092b243fb318e94d11451de40a59822d4afc8bbb58f74710da225',
  MultipleDelegationRewardsWithdrawn: '0xded60ee1fd7214fb7c36e0d0a674961f0b3a146cee8b2a5dfac9e524da628439',
  ValidatorCommissionWithdrawn: '0xe40546e817dc4728b4185567545ed4559d2f8df7d691e4e9275c4668144701f7',
  WithdrawAddressSet: '0x81ef977572555fac5ac57a0e17fdf5feaf98f544e9af11713615da4e1f34ff0b',
};
const names = Object.keys(SELECTORS) as (keyof typeof PRECOMPILE_ABIS)[];

describe('the ABIs of precompiles', () => {
  it.each(names)('of %s have the selectors and topics of the reference', (name) => {
    const abi = new Interface(JSON.stringify(PRECOMPILE_ABIS[name]));
    const selectors: Record<string, string> = {};
    abi.forEachFunction((one) => {
      selectors[one.name] = one.selector;
    });
    expect(selectors).toEqual(SELECTORS[name]);
    abi.forEachEvent((one) => expect(one.topicHash).toBe(TOPICS[one.name]));
  });

  it.each(names)('of %s stand in docs/abi', (name) => {
    const url = new URL(`../../../../docs/abi/${name}.json`, import.meta.url);
    expect(JSON.parse(readFileSync(url, 'utf8'))).toEqual(PRECOMPILE_ABIS[name]);
  });
});
