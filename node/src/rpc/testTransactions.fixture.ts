import {
  createAddress,
  type EvmTransaction,
  signedTransaction,
  signingHash,
  type UnsignedEvmTransaction,
} from '../evm/index.ts';
import {
  bytesToBigint,
  chainAddressOf,
  concatBytes,
  evmAddressOf,
  hexToBytes,
  padLeft,
  publicKeyOf,
  signDigest,
  utf8,
} from '../primitives/index.ts';
import type { BlockRecord } from '../types/index.ts';

export const EVM_CHAIN_ID = 713_714n;
export const GWEI = 10n ** 9n;
export const KEYS = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
/** Funded at genesis with 1,000 tokens each. */
export const ACCOUNTS = KEYS.map((key) => evmAddressOf(publicKeyOf(key, false)!));
export const CHAIN_ADDRESSES = KEYS.map((key) => chainAddressOf(publicKeyOf(key, true)!));
export const FRIEND = new Uint8Array(20).fill(0xfe);
/** Created by account 1 in the first block. */
export const COUNTER = createAddress(ACCOUNTS[1]!, 0n);
export const REVERTER = createAddress(ACCOUNTS[1]!, 1n);
export const SILENT_REVERTER = createAddress(ACCOUNTS[1]!, 2n);

/** Adds one to slot 0, logs the sum under the call's first word as topic, returns the sum. */
export const COUNTER_CODE = hexToBytes('6000546001018060005560005260003560206000a160206000f3');
/** `Error("no luck")`. */
export const REVERT_DATA = concatBytes(
  hexToBytes('08c379a0'),
  ...[32, 7].map((n) => padLeft(Uint8Array.of(n), 32)),
  utf8('no luck'.padEnd(32, '\0')),
);

export const word = (value: number): Uint8Array => padLeft(Uint8Array.of(value), 32);

/** Signs for account `from`; a dynamic-fee call with ample gas unless `fields` say otherwise. */
export function sign(from: number, fields: Partial<UnsignedEvmTransaction>): EvmTransaction {
  const type = fields.type ?? 2;
  const unsigned: UnsignedEvmTransaction = {
    type,
    chainId: EVM_CHAIN_ID,
    nonce: 0n,
    gasLimit: 300_000n,
    gasPrice: type < 2 ? 20n * GWEI : undefined,
    maxFeePerGas: 20n * GWEI,
    maxPriorityFeePerGas: type < 2 ? 20n * GWEI : GWEI,
    to: null,
    value: 0n,
    data: new Uint8Array(0),
    accessList: [],
    authorizationList: [],
    ...fields,
  };
  const { signature, recoveryId } = signDigest(signingHash(unsigned), KEYS[from]!);
  const base = type > 0 ? 0n : 35n + 2n * EVM_CHAIN_ID;
  return signedTransaction(unsigned, {
    v: base + BigInt(recoveryId),
    r: bytesToBigint(signature.subarray(0, 32)),
    s: bytesToBigint(signature.subarray(32)),
  });
}

function deployer(runtime: Uint8Array): Uint8Array {
  const length = runtime.length.toString(16).padStart(2, '0');
  return concatBytes(hexToBytes(`60${length}80600b6000396000f3`), runtime);
}

function reverter(data: Uint8Array): Uint8Array {
  const length = data.length.toString(16).padStart(2, '0');
  return concatBytes(hexToBytes(`60${length}600c60003960${length}6000fd`), data);
}

/**
 * The blocks that most tests look at: 1 creates the contracts; 2 holds a counter call, a failing call, a legacy
 * transfer and one with an access list; 3 is empty; 4 has two counter calls with different tips.
 */
export async function growBlocks({
  block,
}: {
  block(...transactions: readonly EvmTransaction[]): Promise<BlockRecord>;
}): Promise<BlockRecord[]> {
  const codes = [COUNTER_CODE, reverter(REVERT_DATA), reverter(new Uint8Array(0))];
  const creations = codes.map((code, nonce) => sign(1, { nonce: BigInt(nonce), data: deployer(code) }));
  const accessList = [{ address: COUNTER, storageKeys: [word(0)] }];
  return [
    await block(...creations),
    await block(
      sign(0, { to: COUNTER, data: word(1) }),
      sign(1, { to: REVERTER, nonce: 3n }),
      sign(2, { type: 0, to: FRIEND, value: 1000n }),
      sign(2, { type: 1, to: COUNTER, data: word(1), nonce: 1n, accessList }),
    ),
    await block(),
    await block(
      sign(0, { to: COUNTER, data: word(2), nonce: 1n, maxPriorityFeePerGas: 3n * GWEI }),
      sign(1, { to: COUNTER, data: word(1), nonce: 4n, maxPriorityFeePerGas: 2n * GWEI }),
    ),
  ];
}
