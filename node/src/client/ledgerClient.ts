import { setTimeout as pause } from 'node:timers/promises';
import { isCodedError } from '@chain/platform';
import { bytesToHex, sha256 } from '../primitives/index.ts';
import type { ProtoSchema } from '../proto/index.ts';
import { clientErrors } from './clientErrors.ts';
import type { ConsensusClient } from './consensusClient.ts';

/** A question to one of the query services. */
export interface ClientQuery {
  /** `cosmos.bank.v1beta1.Query/Balance` */
  readonly method: string;
  /** Fields of the request by name, such as `pagination.limit`; missing values are passed over. */
  readonly parameters?: Readonly<Record<string, string | undefined>>;
  /** The newest when missing. */
  readonly height?: number | undefined;
}

/** A message as JSON: its members are those of the protobuf file. */
export type Answer = Readonly<Record<string, unknown>>;

/** `cosmos.base.abci.v1beta1.TxResponse` as JSON; the fields that are looked at. */
export interface TransactionOutcome extends Answer {
  readonly height: string;
  readonly txhash: string;
  readonly codespace: string;
  readonly code: number;
  readonly raw_log: string;
  readonly gas_wanted: string;
  readonly gas_used: string;
  readonly timestamp: string;
}

/** What CheckTx thinks of a transaction; code 0 is that it waits for a block. */
export interface BroadcastResult {
  readonly txhash: string;
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}

/** Queries with JSON answers, and transactions on their way. */
export interface LedgerClient {
  readonly url: string;
  /** The answer as REST has it. Throws CLIENT_QUERY_REFUSED, whose fields hold codespace, code and log. */
  query<T extends Answer = Answer>(query: ClientQuery): Promise<T>;
  /** Chain id that the node follows. */
  chainId(): Promise<string>;
  /** Hands in a raw transaction; `async` does not wait for what CheckTx thinks. */
  broadcast(raw: Uint8Array, mode: 'sync' | 'async'): Promise<BroadcastResult>;
  /** `tx_response` of a transaction once a block has it. Throws CLIENT_NOT_INCLUDED. */
  inclusion(hash: string): Promise<TransactionOutcome>;
}

const INCLUSION_SECONDS = 60;
const POLL_MS = 200;

export function openLedgerClient(rpc: ConsensusClient, schema: ProtoSchema): LedgerClient {
  const query = async <T extends Answer>(question: ClientQuery): Promise<T> =>
    (await ask(question, rpc, schema)) as T;
  return {
    url: rpc.url,
    query,
    chainId: async () => {
      const status = await rpc.call<{ node_info?: { network?: string } }>('status');
      if (!status.node_info?.network) throw clientErrors.notConsensusRpc(rpc.url, 'a status without a chain');
      return status.node_info.network;
    },
    broadcast: async (raw, mode) => {
      const tx = Buffer.from(raw).toString('base64');
      const answer = await rpc.call<Omit<BroadcastResult, 'txhash'>>(`broadcast_tx_${mode}`, { tx });
      const { code, codespace, log } = answer;
      return { txhash: bytesToHex(sha256(raw)).toUpperCase(), code, codespace, log };
    },
    inclusion: async (hash) => {
      for (let left = (INCLUSION_SECONDS * 1000) / POLL_MS; left > 0; left--) {
        const question = { method: 'cosmos.tx.v1beta1.Service/GetTx', parameters: { hash } };
        const found = await query<{ tx_response: TransactionOutcome }>(question).catch(notFound);
        if (found) return found.tx_response;
        await pause(POLL_MS);
      }
      throw clientErrors.timeout(hash, INCLUSION_SECONDS);
    },
  };
}

function notFound(error: unknown): undefined {
  if (isCodedError(error, 'CLIENT_QUERY_REFUSED') && error.fields.code === 22) return undefined;
  throw error;
}

interface AbciAnswer {
  readonly response: {
    readonly code?: number;
    readonly codespace?: string;
    readonly log?: string;
    readonly value?: string | null;
  };
}

async function ask(
  { method, parameters = {}, height = 0 }: ClientQuery,
  rpc: ConsensusClient,
  schema: ProtoSchema,
): Promise<Answer> {
  const path = `/${method}`;
  const known = schema.methods.find((it) => it.path === path);
  if (!known) throw clientErrors.failed(rpc.url, method, 'this program knows no such method');
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const data = bytesToHex(schema.fromParameters(known.input, given));
  const asked = { path, data, height: String(height), prove: false };
  const { response } = await rpc.call<AbciAnswer>('abci_query', asked);
  const { code = 0, codespace = '', log = '' } = response;
  if (code !== 0) throw clientErrors.query(method, { codespace, code, log: plainLog(log) });
  return schema.toJson(known.output, Buffer.from(response.value ?? '', 'base64'));
}

/** gRPC's wrapping, and the phrase that every such error ends with, are of no use to a person. */
function plainLog(log: string): string {
  return log.replace(/^rpc error: code = \w+ desc = /, '').replace(/: (invalid request|key not found)$/, '');
}
