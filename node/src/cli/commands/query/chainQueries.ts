import { isCodedError } from '@chain/platform';
import { Option } from 'commander';
import type { Answer, LedgerClient, TransactionOutcome } from '../../../client/index.ts';
import { coinsText } from '../../ledger/shown.ts';
import type { FreeQuery, QueryCommand } from './queryCommand.ts';

const TX_SERVICE = 'cosmos.tx.v1beta1.Service';
const BLOCKS = 'cosmos.base.tendermint.v1beta1.Service';

interface Tx {
  readonly body: { readonly messages: readonly Answer[]; readonly memo: string } | null;
  readonly auth_info: { readonly fee: { readonly amount: Coins } | null } | null;
}
type Coins = { readonly amount: string; readonly denom: string }[];

type FoundTransaction = { readonly tx: Tx; readonly tx_response: TransactionOutcome };

/** By the ledger's hash; an EVM hash is found by its event. */
async function findTransaction(client: LedgerClient, hash: string): Promise<FoundTransaction> {
  try {
    return await client.query({ method: `${TX_SERVICE}/GetTx`, parameters: { hash } });
  } catch (error) {
    if (!isCodedError(error, 'CLIENT_QUERY_REFUSED') || error.fields.code !== 22) throw error;
    const query = `evm_transaction.hash='0x${hash.replace(/^0x/i, '').toLowerCase()}'`;
    const found = await client.query<{ txs: Tx[]; tx_responses: TransactionOutcome[] }>({
      method: `${TX_SERVICE}/GetTxsEvent`,
      parameters: { query },
    });
    const [tx, response] = [found.txs[0], found.tx_responses[0]];
    if (!tx || !response) throw error;
    return { tx, tx_response: response };
  }
}

function transactionFields({ tx, tx_response: it }: FoundTransaction): Answer {
  const kinds = tx.body?.messages.map((message) => String(message['@type'])) ?? [];
  return {
    hash: it.txhash,
    height: it.height,
    time: it.timestamp,
    result: it.code === 0 ? 'success' : `code ${it.code} of ${it.codespace}: ${it.raw_log}`,
    gas: `${it.gas_used} of ${it.gas_wanted}`,
    fee: coinsText(tx.auth_info?.fee?.amount ?? []),
    messages: kinds.join(', '),
    ...(tx.body?.memo && { memo: tx.body.memo }),
  };
}

export const TRANSACTION_QUERY: FreeQuery = {
  usage: 'tx <hash>',
  about: 'a transaction by its hash, the ledger’s or the EVM’s',
  ask: (client, [hash = '']) => findTransaction(client, hash),
  show: (answer: FoundTransaction) => ({ fields: transactionFields(answer) }),
};

export const TRANSACTIONS_QUERY: QueryCommand = {
  usage: 'txs',
  about: 'transactions by their events',
  options: [
    new Option(
      '--query <conditions>',
      'such as "transfer.recipient=\'chain1…\' AND tx.height>5"',
    ).makeOptionMandatory(),
    new Option('--page <number>', 'which page').default('1'),
    new Option('--limit <count>', 'transactions of one page, at most 100').default('30'),
    new Option('--order <order>', 'by height').choices(['asc', 'desc']).default('asc'),
  ],
  method: `${TX_SERVICE}/GetTxsEvent`,
  parameters: (_args, { query, page, limit, order }) => ({
    query: String(query),
    page: String(page),
    limit: String(limit),
    order_by: order === 'desc' ? 'ORDER_BY_DESC' : 'ORDER_BY_ASC',
  }),
  show: ({ tx_responses: list, txs }: { tx_responses: TransactionOutcome[]; txs: Tx[] }) => ({
    columns: ['HEIGHT', 'HASH', 'CODE', 'GAS', 'MESSAGES'],
    rows: list.map((it, i) => [
      it.height,
      it.txhash,
      String(it.code),
      it.gas_used,
      (txs[i]?.body?.messages ?? []).map((message) => String(message['@type'])).join(', '),
    ]),
    none: 'no transaction has such events',
  }),
};

interface BlockAnswer extends Answer {
  readonly block_id: { readonly hash: string };
  readonly sdk_block: {
    readonly header: {
      readonly height: string;
      readonly time: string;
      readonly proposer_address: string;
      readonly app_hash: string | null;
    };
    readonly data: { readonly txs: readonly string[] };
  };
}

const hex = (base64: string | null): string =>
  Buffer.from(base64 ?? '', 'base64')
    .toString('hex')
    .toUpperCase();

export const BLOCK_QUERY: FreeQuery = {
  usage: 'block [block]',
  about: 'a block by its height; the newest by default',
  ask: (client, [height]) =>
    client.query(
      height
        ? { method: `${BLOCKS}/GetBlockByHeight`, parameters: { height } }
        : { method: `${BLOCKS}/GetLatestBlock` },
    ),
  show: ({ block_id: id, sdk_block: block }: BlockAnswer) => ({
    fields: {
      height: block.header.height,
      time: block.header.time,
      hash: hex(id.hash),
      proposer: block.header.proposer_address,
      transactions: block.data.txs.length,
      'app hash': Buffer.from(block.header.app_hash ?? '', 'base64')
        .toString('hex')
        .toUpperCase(),
    },
  }),
};

interface BaseAccount {
  readonly address: string;
  readonly account_number: string;
  readonly sequence: string;
  readonly pub_key: { readonly '@type': string; readonly key?: string } | null;
}
/** A module's account has its name around the same. */
type AccountAnswer = BaseAccount & { readonly base_account?: BaseAccount; readonly name?: string };

export const ACCOUNT_QUERY: QueryCommand = {
  usage: 'account <account>',
  about: 'number, sequence and key of an account',
  method: 'cosmos.auth.v1beta1.Query/Account',
  parameters: ([address]) => ({ address }),
  show: ({ account }: { account: AccountAnswer }) => {
    const base = account.base_account ?? account;
    return {
      fields: {
        address: base.address,
        number: base.account_number,
        sequence: base.sequence,
        key: base.pub_key ? (base.pub_key.key ?? base.pub_key['@type']) : 'unknown until it signs',
        ...(account.name && { module: account.name }),
      },
    };
  },
};

interface NodeAnswer extends Answer {
  readonly default_node_info: Readonly<Record<'network' | 'moniker' | 'default_node_id', string>>;
  readonly application_version: Readonly<Record<'app_name' | 'version', string>>;
}

export const NODE_QUERY: QueryCommand = {
  usage: 'node',
  about: 'what the node is, and what it wants for gas',
  method: `${BLOCKS}/GetNodeInfo`,
  show: ({ default_node_info: node, application_version: application }: NodeAnswer) => ({
    fields: {
      chain: node.network,
      moniker: node.moniker,
      id: node.default_node_id,
      application: `${application.app_name} ${application.version}`,
    },
  }),
};
