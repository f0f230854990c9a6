import { CodedError } from '@chain/platform';

/** What goes wrong between a client and its node. */
export const clientErrors = {
  address: (given: string) =>
    new CodedError(
      'CLIENT_NODE_ADDRESS',
      `--node ${given}: no address of a consensus RPC; write http://127.0.0.1:26657 or tcp://127.0.0.1:26657`,
      { fields: { given } },
    ),
  unreachable: (url: string, cause: unknown) =>
    new CodedError(
      'CLIENT_UNREACHABLE',
      `no consensus RPC answers at ${url} (${reasonOf(cause)}); start a node, or name another with --node`,
      { fields: { url }, cause },
    ),
  notConsensusRpc: (url: string, what: string) =>
    new CodedError(
      'CLIENT_NOT_A_CONSENSUS_RPC',
      `${url} answers, but not as a consensus RPC (${what}); --node wants port 26657, not that of JSON-RPC, gRPC or REST`,
      { fields: { url } },
    ),
  failed: (url: string, method: string, text: string) =>
    new CodedError('CLIENT_CALL_FAILED', `${method} at ${url}: ${text}`, { fields: { url, method } }),
  query: (method: string, { codespace, code, log }: { codespace: string; code: number; log: string }) =>
    new CodedError('CLIENT_QUERY_REFUSED', `${log} (codespace ${codespace}, code ${code})`, {
      fields: { method, codespace, code, log },
    }),
  coins: (text: string) =>
    new CodedError(
      'CLIENT_COINS',
      `"${text.slice(0, 100)}" is no list of coins; write whole numbers with their denomination, such as 1000usei or 5uatom,1000usei`,
      { fields: { text: text.slice(0, 100) } },
    ),
  prices: (text: string) =>
    new CodedError(
      'CLIENT_PRICES',
      `"${text.slice(0, 100)}" is no gas price; write a decimal with its denomination, such as 0.02usei`,
      { fields: { text: text.slice(0, 100) } },
    ),
  file: (what: string, cause: unknown) =>
    new CodedError(
      'CLIENT_TRANSACTION_FILE',
      `${what} holds no transaction: ${reasonOf(cause)}; it wants the JSON that --generate-only prints`,
      { cause },
    ),
  signatureFile: (from: string, problem: string, cause?: unknown) =>
    new CodedError('CLIENT_SIGNATURE_FILE', `${from} holds no signature that can be used: ${problem}`, {
      fields: { from },
      cause,
    }),
  tooFewSignatures: (count: number, threshold: number) =>
    new CodedError(
      'CLIENT_TOO_FEW_SIGNATURES',
      `${count} of the members have signed and ${threshold} must; add the files of more of them`,
      { fields: { count, threshold } },
    ),
  timeout: (hash: string, seconds: number) =>
    new CodedError(
      'CLIENT_NOT_INCLUDED',
      `transaction ${hash} is in no block after ${seconds} s; it may still get into one: chaind query tx ${hash}`,
      { fields: { hash } },
    ),
} as const;

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause as (Error & { readonly code?: string }) | undefined;
  return (inner?.code ?? inner?.message ?? cause.message).replaceAll(/\s+/g, ' ');
}
