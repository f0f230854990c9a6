import { PORTS } from '@chain/platform/contract';
import { boolean, choice, duration, integer, pattern, port, text } from '@chain/platform/settings';
import { ACCESS_SETTINGS } from './accessSettings.ts';

const GAS_PRICES = {
  pattern: /^(\d+(\.\d+)?[a-z][a-zA-Z0-9/:._-]{1,127}(,|$))*$/,
  wanted: 'a price such as "0.01usei"',
};

/** The keys above the first section. */
export const BASE_SETTINGS = {
  'minimum-gas-prices': pattern(
    '0.01usei',
    'Lowest price of gas at which this node takes a ledger transaction into its pool',
    GAS_PRICES,
  ),
  pruning: choice(
    ['default', 'nothing', 'everything', 'custom'],
    'default',
    'Blocks with their receipts and logs: `nothing` is pruned, `everything` but the newest 1000, else `min-retain-blocks` says',
  ),
  'min-retain-blocks': integer(0, 'Newest blocks, receipts and logs that are kept; 0 keeps all', {
    unit: 'blocks',
    rule: '0, or at least 256: clients look back so far',
    defaultByMode: { rpc: 100_000 },
  }),
  'halt-height': integer(0, 'Height after which the node stops by itself, for an upgrade; 0 = never'),
} as const;

/** What this process is. */
export const NODE_SETTINGS = {
  mode: choice(
    ['rpc', 'validator', 'archive', 'seed'],
    'rpc',
    'Role of the node; other defaults follow from it',
  ),
  engine: choice(
    ['embedded', 'cometbft'],
    'embedded',
    'What decides blocks: a single validator inside this process, or CometBFT; fixed once data exists',
  ),
  cometbft: text('', 'The `cometbft` program, release 0.38, that `start` runs; empty = the first on PATH'),
  'abci-listen': text(
    '',
    'Address where a CometBFT that runs by itself connects, such as tcp://127.0.0.1:26658; empty = `start` runs it',
  ),
  'cometbft-rpc': text(
    '',
    'Address of the RPC of that CometBFT, such as http://127.0.0.1:26667; wanted with `abci-listen`',
  ),
  development: boolean(
    false,
    'Marks a development home: hosted accounts with well-known keys and methods that change the chain; never for real value',
  ),
  'log-level': choice(
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'info',
    'Least severe records that are logged',
  ),
  'log-format': choice(
    ['auto', 'json', 'pretty'],
    'auto',
    'One JSON object a line for machines, or text for people; `auto`: text when standard error is a terminal',
  ),
} as const;

/** Pending transactions (embedded engine and CheckTx). */
export const MEMPOOL_SETTINGS = {
  'max-txs': integer(5000, 'Executable transactions that may wait: those that a block could take', {
    min: 1,
  }),
  'max-txs-bytes': integer(1_073_741_824, 'Size of all executable ones', { min: 1, unit: 'bytes' }),
  'max-tx-bytes': integer(1_048_576, 'Size of one transaction', { min: 1, unit: 'bytes' }),
  'max-txs-per-account': integer(2048, 'Executable transactions of one sender', { min: 1 }),
  'account-slots': integer(
    16,
    'Executable transactions of one sender that give way to dearer ones only; in a full pool those above give way to senders with fewer',
    { min: 1 },
  ),
  'max-queued-txs': integer(5000, 'Transactions that may wait for a lower nonce of their sender', { min: 0 }),
  'max-queued-bytes': integer(67_108_864, 'Size of all that wait for a lower nonce', {
    min: 0,
    unit: 'bytes',
  }),
  'max-queued-txs-per-account': integer(1024, 'Transactions of one sender that may wait for a lower nonce', {
    min: 0,
  }),
  'price-bump': integer(10, 'Percent by which a replacement raises both max fee and tip', { min: 1 }),
  lifetime: duration(600_000, 'Time after which an executable transaction is dropped; 0 = never'),
  'queued-lifetime': duration(
    600_000,
    'Time after which a transaction that waits for a lower nonce is dropped; 0 = never',
  ),
} as const;

/** Metrics and probes. */
export const ADMIN_SETTINGS = {
  enabled: boolean(true, 'Serve `/metrics`, `/livez`, `/readyz` and `/startupz`'),
  address: text('127.0.0.1', 'Address to listen on'),
  port: port(PORTS.nodeAdmin, 'Port to listen on'),
  'max-block-age': duration(60_000, 'Age of the newest block above which the node is not ready; 0 = never'),
  drain: duration(
    0,
    'Time between a stop signal and the end of the listeners: answers then ask clients of JSON-RPC, REST and the consensus RPC to connect elsewhere',
  ),
  ...ACCESS_SETTINGS,
} as const;
