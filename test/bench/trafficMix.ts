import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AbiFunction, bytesToHex, toFunctionSelector } from 'viem';
import { developmentAccount } from '../support/accounts.ts';
import { compileContracts } from '../support/contracts.ts';
import { createRandom } from '../support/random.ts';
import type { RpcSubjects } from './rpcSubjects.ts';
import { signTransfers } from './transfers.ts';

/** A kind of request and how many of a hundred are of it; `$names` stand for what each node has. */
interface MixedKind {
  readonly share: number;
  /** So many of them in one body. */
  readonly batch?: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const SEED = 20_260_101;
const ADDRESS_DIGITS = 40;
const WORD_DIGITS = 64;

/**
 * Writes a file of `count` bodies, one a line, in the shares of trafficMix.json: the same kinds in the same order for
 * every node, each with that node's own addresses and hashes. No two calls are the same.
 */
export function writeTrafficMix(
  path: string,
  { subjects, count, evmChainId, firstTransfer }: MixOptions,
): readonly string[] {
  const kinds = JSON.parse(
    readFileSync(join(import.meta.dirname, 'trafficMix.json'), 'utf8'),
  ) as readonly MixedKind[];
  const byShare = kinds.flatMap((kind) => new Array<MixedKind>(kind.share).fill(kind));
  const random = createRandom(SEED);
  const picked = Array.from({ length: count }, () => byShare[random.below(byShare.length)]!);
  const sends = picked.filter(({ method }) => method === 'eth_sendRawTransaction').length;
  const raws = signTransfers({ evmChainId, from: firstTransfer, count: sends }).values();
  let distinct = 0;
  const fixed = fixedNames(subjects);
  const valueNamed = (name: string): string => {
    if (name === 'distinct') return (++distinct).toString(16).padStart(WORD_DIGITS, '0');
    if (name === 'address') return `0x${(++distinct).toString(16).padStart(ADDRESS_DIGITS, 'b')}`;
    if (name === 'raw') return bytesToHex(raws.next().value!);
    return fixed[name]!;
  };
  const request = ({ method, params }: MixedKind) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }).replace(/\$([a-z]+)/g, (_, name) =>
      valueNamed(name),
    );
  const bodies = picked.map((kind) =>
    kind.batch === undefined ? request(kind) : `[${Array.from({ length: kind.batch }, () => request(kind))}]`,
  );
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${bodies.join('\n')}\n`);
  return bodies;
}

export interface MixOptions {
  readonly subjects: RpcSubjects;
  readonly count: number;
  readonly evmChainId: bigint;
  /** Transfers before it are in the chain. */
  readonly firstTransfer: number;
}

function fixedNames({ token, calls, block, transfer }: RpcSubjects): Record<string, string> {
  const quote = compileContracts().Calls.abi.find(
    (item): item is AbiFunction => item.type === 'function' && item.name === 'quote',
  );
  return {
    token,
    calls,
    block,
    transfer,
    rich: developmentAccount(0).address,
    quote: toFunctionSelector(quote!),
  };
}
