import { crc32 } from 'node:zlib';
import {
  BLOCK_HASHES_CONTRACT,
  CHAIN_PRECOMPILES,
  type EvmFork,
  type ForkStage,
  readForks,
  standardPrecompileAddresses,
} from '../../evm/index.ts';
import { concatBytes, toHexData, toHexQuantity, uint64ToBytes } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { mapOf, nullable, objectOf } from '../schema/jsonSchema.ts';
import { ADDRESS, QUANTITY } from '../schema/valueSchemas.ts';

/** From 0x01 on, as EIP-7910 names them. */
const STANDARD_NAMES = [
  'ECREC',
  'SHA256',
  'RIPEMD160',
  'ID',
  'MODEXP',
  'BN254_ADD',
  'BN254_MUL',
  'BN254_PAIRING',
  'BLAKE2F',
  'KZG_POINT_EVALUATION',
  'BLS12_G1ADD',
  'BLS12_G1MSM',
  'BLS12_G2ADD',
  'BLS12_G2MSM',
  'BLS12_PAIRING_CHECK',
  'BLS12_MAP_FP_TO_G1',
  'BLS12_MAP_FP2_TO_G2',
  'P256VERIFY',
];
/** Of this chain's own, by the number that their address is. */
const OWN_NAMES: Readonly<Record<number, string>> = {
  4097: 'CHAIN_BANK',
  4099: 'CHAIN_JSON',
  4100: 'CHAIN_ADDRESS',
  4101: 'CHAIN_STAKING',
  4103: 'CHAIN_DISTRIBUTION',
  4106: 'CHAIN_POINTER_VIEW',
  4107: 'CHAIN_POINTER',
};
const OWN_PRECOMPILES = Object.fromEntries(
  [...CHAIN_PRECOMPILES.keys()].map((address) => [
    OWN_NAMES[Number(`0x${address}`)] ?? `CHAIN_${address.replace(/^0+/, '').toUpperCase()}`,
    `0x${address}`,
  ]),
);

function precompilesOf(fork: EvmFork): Readonly<Record<string, string>> {
  const standard = standardPrecompileAddresses(fork).map((address, i) => [
    STANDARD_NAMES[i]!,
    toHexData(address),
  ]);
  return { ...Object.fromEntries(standard), ...OWN_PRECOMPILES };
}

/** The chain takes no blobs: none are meant, none may be. The fraction is Prague's. */
const NO_BLOBS = { baseFeeUpdateFraction: 5_007_716, max: 0, target: 0 };

const COUNT = { type: 'integer', minimum: 0 };
const byName = mapOf('^[A-Z][A-Z0-9_]*$', ADDRESS);
const RULES = {
  blobSchedule: objectOf({ baseFeeUpdateFraction: COUNT, max: COUNT, target: COUNT }),
  chainId: QUANTITY,
  forkId: { type: 'string', pattern: '^0x[0-9a-f]{8}$', description: 'FORK_HASH of EIP-2124' },
  precompiles: byName,
  systemContracts: byName,
};
const CURRENT = objectOf({ activationTime: COUNT, ...RULES });
const PLANNED = objectOf({
  activationTime: { type: 'null', description: 'Nobody knows yet when the block will be made' },
  activationBlock: COUNT,
  ...RULES,
});

/**
 * The fork in force, and from which block's time on; the next one and the last one that genesis plans, by height: of
 * those nobody knows the time.
 */
export const config = rpcMethod({
  name: 'eth_config',
  summary: 'The rules that the EVM runs by now (EIP-7910), and those that are planned, by height',
  params: [],
  result: objectOf({
    current: CURRENT,
    next: nullable(PLANNED),
    last: nullable(PLANNED),
  }),
  uses: ['evmChainId', 'genesisHash', 'chain', 'history'],
  handle: ({ evmChainId, genesisHash, chain, history }) => {
    const stages = readForks(chain.newestState);
    const { height } = chain;
    const rulesOf = (stage: ForkStage) => ({
      blobSchedule: NO_BLOBS,
      chainId: toHexQuantity(evmChainId),
      forkId: forkIdOf(genesisHash, stages, stage.height),
      precompiles: precompilesOf(stage.fork),
      systemContracts: { HISTORY_STORAGE_ADDRESS: toHexData(BLOCK_HASHES_CONTRACT) },
    });
    const planned = (stage: ForkStage) => ({
      activationTime: null,
      activationBlock: stage.height,
      ...rulesOf(stage),
    });
    const current = stages.findLast((stage) => stage.height <= height)!;
    const first = current.height === 0 ? undefined : history.blockByHeight(current.height);
    // Of forks that begin together, the youngest holds.
    const nextHeight = stages.find((stage) => stage.height > height)?.height;
    const next = stages.findLast((stage) => stage.height === nextHeight);
    return {
      current: {
        activationTime: Number(first?.block.header.time.seconds ?? 0n),
        ...rulesOf(current),
      },
      next: next ? planned(next) : null,
      last: next ? planned(stages.at(-1)!) : null,
    };
  },
});

/** CRC-32 of the genesis hash and of the heights that rules have changed at, up to `height`. */
function forkIdOf(genesisHash: Uint8Array, stages: readonly ForkStage[], height: number): string {
  const heights = new Set(stages.map((stage) => stage.height).filter((at) => at > 0 && at <= height));
  const passed = [...heights].map((at) => uint64ToBytes(BigInt(at)));
  return `0x${crc32(concatBytes(genesisHash, ...passed))
    .toString(16)
    .padStart(8, '0')}`;
}
