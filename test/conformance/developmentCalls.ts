import type { ConformanceChain } from './conformanceChain.ts';

type Calls = (chain: ConformanceChain) => readonly (readonly unknown[])[];

const UNKNOWN_HASH = `0x${'12'.repeat(32)}`;
const NONE: Calls = () => [[]];
const FEE_COLLECTOR = '0x27f7b8b8b5a4e71e8e9aa671f4e4031e3773303f';
const SLOT_0 = `0x${'00'.repeat(32)}`;
const STRANGER = `0x${'57'.repeat(20)}`;
const TYPED_DATA = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  domain: { name: 'conformance' },
  message: { text: 'hello' },
};

/** They change the chain, and come after all others. */
export const DEVELOPMENT_CALLS: Readonly<Record<string, Calls>> = {
  eth_sendTransaction: ({ bob, counter }) => [
    [{ from: bob, to: counter, data: `0x${'00'.repeat(32)}` }],
    [{ to: counter, gas: '0x30d40', gasPrice: '0x3b9aca000', accessList: [] }],
  ],
  eth_sendUnsignedTransaction: ({ bob, counter }) => [[{ from: bob, to: counter, gas: '0x30d40' }]],
  eth_signTransaction: ({ bob, counter }) => [[{ from: bob, to: counter, gas: '0x30d40' }]],
  eth_sign: ({ bob }) => [[bob, '0x68656c6c6f']],
  personal_sign: ({ bob }) => [
    ['0x68656c6c6f', bob],
    ['0x68656c6c6f', bob, ''],
  ],
  eth_signTypedData_v4: ({ bob }) => [
    [bob, TYPED_DATA],
    [bob, JSON.stringify(TYPED_DATA)],
  ],
  evm_mine: () => [[], [{ blocks: 2 }], [{ blocks: '0x1', timestamp: 4_000_000_000 }], [4_000_000_100]],
  ...both('mine', () => [[], ['0x2'], [2, '0x5']]),
  evm_setAutomine: () => [[false], [true]],
  anvil_setAutomine: () => [[false], [true]],
  ...both('getAutomine', NONE),
  evm_setIntervalMining: () => [[100_000], ['0x0'], [0]],
  anvil_setIntervalMining: () => [[100_000], ['0x0'], [0]],
  evm_setNextBlockTimestamp: () => [[4_100_000_000]],
  anvil_setNextBlockTimestamp: () => [['0xf4628b00']],
  evm_increaseTime: () => [[10], ['0x10']],
  anvil_increaseTime: () => [['10']],
  ...both('setBalance', () => [
    [STRANGER, '0xde0b6b3a7640000'],
    [STRANGER, '100'],
    [STRANGER, 0],
  ]),
  ...both('setNonce', () => [[STRANGER, '0x5']]),
  evm_setAccountNonce: () => [[STRANGER, 6]],
  ...both('setCode', () => [
    [STRANGER, '0x6001'],
    [STRANGER, '0x'],
  ]),
  ...both('setStorageAt', () => [
    [STRANGER, '0x0', UNKNOWN_HASH],
    [STRANGER, SLOT_0, SLOT_0],
  ]),
  ...both('setNextBlockBaseFeePerGas', () => [['0x3b9aca00']]),
  ...both('impersonateAccount', () => [[STRANGER]]),
  ...both('stopImpersonatingAccount', () => [[STRANGER]]),
  anvil_autoImpersonateAccount: () => [[true], [false]],
  evm_snapshot: NONE,
  anvil_snapshot: NONE,
  evm_revert: () => [['0x1'], ['0x1'], ['0xff']],
  anvil_revert: () => [[2]],
  anvil_dumpState: () => [[], [false]],
  anvil_loadState: () => [['0x7b226163636f756e7473223a7b7d7d']],
  ...both('metadata', NONE),
  anvil_nodeInfo: NONE,
  ...both('dropTransaction', () => [[UNKNOWN_HASH]]),
  anvil_dropAllTransactions: NONE,
  anvil_removePoolTransactions: () => [[STRANGER]],
  ...both('setCoinbase', () => [[FEE_COLLECTOR]]),
  ...both('setBlockGasLimit', () => [['0x2160ec0'], [35_000_000]]),
  evm_setBlockGasLimit: () => [['0x2160ec0']],
  ...both('setPrevRandao', () => [[SLOT_0]]),
  ...both('setMinGasPrice', () => [['0x0']]),
  anvil_setRpcUrl: () => [['http://127.0.0.1:1']],
  ...both('setLoggingEnabled', () => [[true], [false]]),
  anvil_setBlockTimestampInterval: () => [[5]],
  anvil_removeBlockTimestampInterval: NONE,
  anvil_getIntervalMining: NONE,
  ...both('reset', () => [[], [{}]]),
};

/** A method that Hardhat and Foundry have under names of their own. */
function both(name: string, calls: Calls): Record<string, Calls> {
  return { [`anvil_${name}`]: calls, [`hardhat_${name}`]: calls };
}
