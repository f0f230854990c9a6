import { encodeDeployData, encodeFunctionData, type Hex, hexToBytes, toHex } from 'viem';
import {
  createAddress,
  signedTransaction,
  signingHash,
  wrapEvmTransaction,
} from '../../node/src/evm/index.ts';
import { bytesToBigint, bytesToHex, signDigest } from '../../node/src/primitives/index.ts';
import { developmentAccount } from '../support/accounts.ts';
import { compileContracts } from '../support/contracts.ts';
import { SENDERS } from './transfers.ts';

const DEPLOY_GAS = 2_000_000n;
const MINT_GAS = 100_000n;
const TRANSFER_GAS = 60_000n;

export interface TokenBlocks {
  /** Deploys a token and gives some to every sender. */
  readonly setUp: readonly SignedTransaction[];
  /** Transfers of that token, each to an account of its own. */
  readonly transfers: readonly SignedTransaction[];
}

export type SignedTransaction = ReturnType<typeof signedTransaction>;

/** Signed ERC-20 transfers of development accounts, and what has to come before them. */
export function tokenBlocks(evmChainId: bigint, count: number): TokenBlocks {
  const { Token } = compileContracts();
  const accounts = Array.from({ length: SENDERS }, (_, i) => {
    const account = developmentAccount(i);
    return { address: account.address, key: account.getHdKey().privateKey!, nonce: 0n };
  });
  const sign = (index: number, tx: { to: Uint8Array | null; data: Hex; gas: bigint }): SignedTransaction => {
    const account = accounts[index]!;
    return signWith(account.key, { ...tx, evmChainId, nonce: account.nonce++ });
  };
  const token = createAddress(hexToBytes(accounts[0]!.address), 0n);
  const { abi, bytecode } = Token;
  const call = (functionName: string, args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi, functionName, args });
  const creation = encodeDeployData({ abi, bytecode, args: ['Gold', 'GLD'] });
  const setUp = [sign(0, { to: null, data: creation, gas: DEPLOY_GAS })];
  for (const { address } of accounts) {
    setUp.push(sign(0, { to: token, data: call('mint', [address, 10n ** 18n]), gas: MINT_GAS }));
  }
  const transfers = Array.from({ length: count }, (_, i) =>
    sign(i % SENDERS, { to: token, data: call('transfer', [holder(i), 1n]), gas: TRANSFER_GAS }),
  );
  return { setUp, transfers };
}

/** Who sends: the development accounts. */
export const senderAddresses = (): Hex[] =>
  Array.from({ length: SENDERS }, (_, i) => developmentAccount(i).address);

export const inEnvelope = (tx: SignedTransaction): Uint8Array => wrapEvmTransaction(tx);

export const asHex = ({ raw }: SignedTransaction): Hex => `0x${bytesToHex(raw)}`;

function signWith(
  key: Uint8Array,
  tx: { evmChainId: bigint; nonce: bigint; to: Uint8Array | null; data: Hex; gas: bigint },
): SignedTransaction {
  const unsigned = {
    type: 2 as const,
    chainId: tx.evmChainId,
    nonce: tx.nonce,
    gasLimit: tx.gas,
    gasPrice: undefined,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 9n,
    to: tx.to,
    value: 0n,
    data: hexToBytes(tx.data),
    accessList: [],
    authorizationList: [],
  };
  const { signature, recoveryId } = signDigest(signingHash(unsigned), key);
  const r = bytesToBigint(signature.subarray(0, 32));
  const s = bytesToBigint(signature.subarray(32));
  return signedTransaction(unsigned, { v: BigInt(recoveryId), r, s });
}

function holder(position: number): Hex {
  return toHex(0xbe00_0000_0000n + BigInt(Math.imul(position + 1, 0x9e3779b1) >>> 0), { size: 20 });
}
