import type { Hex } from 'viem';
import { signRaw, type TestAccount, testAccount } from '../../../node/src/execution/testChain.fixture.ts';
import { concatBytes, hexToBytes, utf8 } from '../../../node/src/primitives/index.ts';
import type { Random } from '../random.ts';
import { deployer, precompile, randomProgram } from '../randomPrograms.ts';
import { abiCall, hostileAbi } from './hostileAbi.ts';
import { hostileJson } from './hostileJson.ts';
import { PRECOMPILE_METHODS } from './precompileMethods.ts';
import { damagedMessage } from './protobufDamage.ts';

/** Who signs, and its next nonce. */
export interface EvmSigner {
  readonly key: TestAccount;
  readonly nonce: bigint;
}

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
const addressOf = (seed: number): Uint8Array => testAccount(seed).evmAddress;
const POOL = {
  contracts: PRECOMPILE_METHODS.map(({ address }) => hexOf(address)).slice(0, 3),
  accounts: [0, 1, 6].map((seed) => hexOf(addressOf(seed))),
};
/** Counts down from what it is called with: enough steps to be translated, by calls of itself or by jumps. */
const LOOPS = [
  '5b600190038060015700',
  '6107d05b600190038060035700',
  '5f5f5f5f5f305af100',
  '5f355b8015601157600190036002565b00',
].map((code) => hexToBytes(code));
const ADDRESS_PRECOMPILE = hexToBytes('1004'.padStart(40, '0'));

const call = ({ key, nonce }: EvmSigner, to: Uint8Array | null, data: Uint8Array, value = 0n): Uint8Array =>
  signRaw(key, { nonce, to, data, value, gasLimit: 1_500_000n });

/** EVM transactions, honest and hostile; by what they are about. */
export const EVM_ATTACKS = {
  transfer: (random: Random, signer: EvmSigner) =>
    call(signer, addressOf(random.below(8)), new Uint8Array(0), BigInt(random.below(1_000_000))),
  deploy: (random: Random, signer: EvmSigner) => {
    const program = randomProgram(random, POOL, 1 + random.below(12));
    return call(signer, null, hexToBytes(deployer(program, randomProgram(random, POOL, 3)).slice(2)));
  },
  loops: (random: Random, signer: EvmSigner) => call(signer, null, random.pick(LOOPS)),
  standard: (random: Random, signer: EvmSigner) => {
    const to = hexToBytes(precompile(1 + random.below(0x11)).slice(2));
    return call(
      signer,
      to,
      Uint8Array.from({ length: random.below(400) }, () => random.below(3)),
    );
  },
  precompile: (random: Random, signer: EvmSigner) => {
    const method = random.pick(PRECOMPILE_METHODS);
    const isPaid = method.mutability === 'payable' && random.below(2) === 0;
    return call(signer, method.address, hostileAbi(random, method), isPaid ? 10n ** 13n : 0n);
  },
  json: (random: Random, signer: EvmSigner) => {
    const method = random.pick(PRECOMPILE_METHODS.filter(({ name }) => name.startsWith('extract')));
    const second = method.name === 'extractAsBytesFromArray' ? BigInt(random.below(4)) : 'key';
    return call(signer, method.address, abiCall(method, [hostileJson(random), second]));
  },
  association: (random: Random, signer: EvmSigner) => {
    const selector = random.pick(['0c3c20ed', '1778e539', '97e4f82c', 'deadbeef']);
    const method = random.pick(PRECOMPILE_METHODS);
    return call(
      signer,
      ADDRESS_PRECOMPILE,
      concatBytes(hexToBytes(selector), hostileAbi(random, method).subarray(4)),
    );
  },
  envelope: (random: Random, signer: EvmSigner) =>
    damagedMessage(random, call(signer, addressOf(1), utf8('data'), 1n)),
} as const satisfies Record<string, (random: Random, signer: EvmSigner) => Uint8Array>;
