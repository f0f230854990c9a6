import { decodeTransaction, unwrapEvmTransaction, wrapEvmTransaction } from '../../../node/src/evm/index.ts';
import { decodeAbi } from '../../../node/src/evm/precompile/abi/decodeAbi.ts';
import { parseFunction } from '../../../node/src/evm/precompile/abi/parseAbi.ts';
import { aminoSignBytes, decodeLedgerTransaction, isLedgerError } from '../../../node/src/ledger/index.ts';
import {
  decodeRlp,
  encodeRlp,
  equalBytes,
  fromBech32,
  toBech32,
} from '../../../node/src/primitives/index.ts';
import type { FuzzTarget } from '../fuzzTarget.ts';
import { must } from '../must.ts';
import { EVM_TRANSACTION, LEDGER_TRANSACTION } from './seeds.ts';

const hex = (text: string): Uint8Array => Buffer.from(text, 'hex');
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const isCoded = (error: unknown): boolean =>
  isLedgerError(error) || /^[A-Z]+_/.test((error as { code?: string })?.code ?? '');

const ABI = [
  'f(uint256, int64, bool, address, string, bytes, uint256[]) view',
  'f(string[], bytes[][]) view',
  'f((string, (uint256, bytes)[])[]) view',
].map((it) => parseFunction(it).inputs);
const SIGNER = { chainId: 'chain-local-1', accountNumber: 1n, sequence: 1n };

/** What a transaction brings, before anything of it is paid for. */
export const TRANSACTION_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'rlp',
    read: (bytes) => must('is written as it was read', equalBytes(encodeRlp(decodeRlp(bytes)), bytes)),
    seeds: [hex('c3010203'), hex('c0'), hex('80'), hex(`f840${'a0'.padEnd(66, '1')}${'9e'.padEnd(62, '2')}`)],
  },
  {
    name: 'evmTransaction',
    read: (bytes) => {
      const decoded = decodeTransaction(bytes);
      must('is what it was decoded from', equalBytes(decoded.raw, bytes));
      const envelope = wrapEvmTransaction(decoded);
      must('comes out of its envelope', equalBytes(unwrapEvmTransaction(envelope)!.hash, decoded.hash));
    },
    seeds: [EVM_TRANSACTION.legacy, EVM_TRANSACTION.fees, EVM_TRANSACTION.setCode],
    refuses: isCoded,
  },
  {
    name: 'envelope',
    read: unwrapEvmTransaction,
    seeds: [EVM_TRANSACTION.envelope, LEDGER_TRANSACTION],
    refuses: isCoded,
  },
  { name: 'ledgerTransaction', read: decodeLedgerTransaction, seeds: [LEDGER_TRANSACTION], refuses: isCoded },
  {
    name: 'amino',
    read: (bytes) => aminoSignBytes(decodeLedgerTransaction(bytes), SIGNER),
    seeds: [LEDGER_TRANSACTION],
    refuses: isCoded,
  },
  {
    name: 'abi',
    read: (bytes) => decodeAbi(ABI[(bytes[0] ?? 0) % ABI.length]!, bytes.subarray(1)),
    seeds: [
      Buffer.concat([Buffer.of(1), ...[64, 96, 0, 0].map((it) => Buffer.alloc(32).fill(it, 31))]),
      Buffer.concat([Buffer.of(0), Buffer.alloc(224), Buffer.alloc(32, 1)]),
    ],
  },
  {
    name: 'bech32',
    read: (bytes) => {
      const address = fromBech32(text(bytes));
      must('is written as it was read', toBech32(address) === text(bytes).toLowerCase());
    },
    seeds: [toBech32(Buffer.alloc(20, 7)), toBech32(Buffer.alloc(20, 7), 'chainvaloper')],
  },
];
