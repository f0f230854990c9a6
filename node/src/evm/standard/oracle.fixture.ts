import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToBigint, hexToBytes } from '../../primitives/index.ts';
import type { EvmFork } from '../fork/evmFork.ts';

/** What `@ethereumjs/evm` makes of a precompile, by `@noble/curves` alone; `failed` whatever the reason. */
export interface OracleAnswer {
  readonly gasUsed: bigint;
  readonly output: string;
  readonly failed: boolean;
}

const NO_BYTES = new Uint8Array(0);
const TAU_G2 = hexToBytes(
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
    '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2',
);

export async function openOracle(fork: EvmFork) {
  const kzg = { verifyProof } as NonNullable<Parameters<typeof createCustomCommon>[2]>['customCrypto'];
  const common = createCustomCommon({ name: 'oracle' }, Mainnet, {
    hardfork: fork,
    customCrypto: { kzg } as never,
  });
  const evm = await createEVM({ common });
  return async (address: string, data: Uint8Array, gasLimit: bigint): Promise<OracleAnswer> => {
    const result = await evm.precompiles.get(address)!({ data, gasLimit, common, _EVM: evm });
    const failed = result.exceptionError !== undefined;
    const output = Buffer.from(failed ? NO_BYTES : result.returnValue).toString('hex');
    return { gasUsed: failed ? gasLimit : result.executionGasUsed, output, failed };
  };
}

/** e(C − [y]₁, −[1]₂) · e(π, [τ]₂ − [z]₂) = 1, as EIP-4844 writes it. */
function verifyProof(commitment: string, z: string, y: string, proof: string): boolean {
  const { G1, G2, fields } = bls12_381;
  const [at, value] = [z, y].map((text) => bytesToBigint(hexToBytes(text)));
  if (at! >= fields.Fr.ORDER || value! >= fields.Fr.ORDER) return false;
  const [c, p] = [commitment, proof].map((text) => pointOf(text));
  const difference = value === 0n ? c! : c!.subtract(G1.Point.BASE.multiplyUnsafe(value!));
  const tau = G2.Point.fromBytes(TAU_G2);
  const shifted = at === 0n ? tau : tau.subtract(G2.Point.BASE.multiplyUnsafe(at!));
  const pairs = [
    { g1: difference, g2: G2.Point.BASE.negate() },
    { g1: p!, g2: shifted },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  return fields.Fp12.eql(bls12_381.pairingBatch(pairs), fields.Fp12.ONE);
}

function pointOf(compressed: string): InstanceType<typeof bls12_381.G1.Point> {
  const point = bls12_381.G1.Point.fromBytes(hexToBytes(compressed));
  if (!point.is0()) point.assertValidity();
  return point;
}
