import { expect, it } from 'vitest';
import { createAddress, readCode, readNonce, readStorage } from '../evm/index.ts';
import { hexToBytes, keccak256, padLeft, toHexData, uint64ToBytes } from '../primitives/index.ts';
import { EMPTY_STATE } from '../state/view/index.ts';
import { deployer, developmentGenesis, signRaw, TestChain, testAccount } from './testChain.fixture.ts';

const HISTORY = hexToBytes('0000f90827f1c53a10cb7a02335b175320002935');
/** keccak256 of the code that EIP-2935 gives. */
const HISTORY_CODE_HASH = '0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d';
/** Puts BLOCKHASH of (this block − the call's word) into the slot of that word. */
const ASKING = hexToBytes('5f35804303409055');
const alice = testAccount(0);
const contract = createAddress(alice.evmAddress, 0n);
const word = (value: number): Uint8Array => padLeft(uint64ToBytes(BigInt(value)), 32);
const hashOf = (height: number): string => toHexData(keccak256(uint64ToBytes(BigInt(height))));

async function grownTo(height: number): Promise<TestChain> {
  const chain = await TestChain.start();
  await chain.block([signRaw(alice, { data: deployer(ASKING) })]);
  while (chain.height < height) await chain.block([]);
  return chain;
}

it('has the contract of EIP-2935 from genesis on', async () => {
  const chain = await TestChain.start();
  expect(toHexData(keccak256(readCode(chain.state, HISTORY)))).toBe(HISTORY_CODE_HASH);
  expect(readNonce(chain.state, HISTORY)).toBe(1n);
});

it('leaves a contract that genesis puts there', async () => {
  const genesis = developmentGenesis();
  const evm = { ...genesis.evm, accounts: [{ address: toHexData(HISTORY), code: '0x5f5ffd' }] };
  const chain = await TestChain.start({ ...genesis, evm });
  expect(toHexData(readCode(chain.state, HISTORY))).toBe('0x5f5ffd');
});

it('answers BLOCKHASH for the 256 blocks before, and no others, from state', async () => {
  const chain = await grownTo(300);
  const distances = [0, 1, 2, 255, 256, 257];
  await chain.block(
    distances.map((far, i) => signRaw(alice, { nonce: BigInt(i + 1), to: contract, data: word(far) })),
  );
  const answers = distances.map((far) => toHexData(readStorage(chain.state, contract, word(far))));
  const none = toHexData(new Uint8Array(32));
  expect(answers).toEqual([none, hashOf(300), hashOf(299), hashOf(46), hashOf(45), none]);
});

it('answers a contract that asks the ring itself, and a call on an older state', async () => {
  const chain = await grownTo(20);
  const old = { ...EMPTY_STATE, get: chain.state.get.bind(chain.state) };
  const context = chain.context({ height: 20 });
  const ask = (height: number) => chain.execution.call({ to: HISTORY, data: word(height) }, old, context);
  expect(toHexData((await ask(19)).returnData)).toBe(hashOf(19));
  expect(toHexData((await ask(1)).returnData)).toBe(hashOf(1));
  expect((await ask(20)).status).toBe('reverted');
  const { returnData } = await chain.execution.call({ data: hexToBytes('6013405f5260205ff3') }, old, context);
  expect(toHexData(returnData)).toBe(hashOf(19));
});

it('takes the place of the hash 8191 blocks before', async () => {
  const chain = await grownTo(2);
  chain.height = 8190;
  for (let i = 0; i < 4; i++) await chain.block([]);
  const slots = [0, 1, 2].map((slot) => toHexData(readStorage(chain.state, HISTORY, word(slot))));
  expect(slots).toEqual([hashOf(8191), hashOf(8192), hashOf(8193)]);
});

it('lets nobody but the system write the ring', async () => {
  const chain = await grownTo(3);
  await chain.block([signRaw(alice, { nonce: 1n, to: HISTORY, data: word(0x1234) })]);
  expect(toHexData(readStorage(chain.state, HISTORY, word(4)))).toBe(toHexData(new Uint8Array(32)));
  expect(toHexData(readStorage(chain.state, HISTORY, word(3)))).toBe(hashOf(3));
});
