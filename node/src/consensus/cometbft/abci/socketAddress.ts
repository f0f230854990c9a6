import { CodedError } from '@chain/platform';

/** Where a socket listens: a file, or a host and port. */
export type SocketAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** `unix:///run/app.sock` or `tcp://127.0.0.1:26658`, as CometBFT writes them. Throws CONSENSUS_ABCI_ADDRESS. */
export function parseSocketAddress(text: string): SocketAddress {
  if (text.startsWith('unix://') && text.length > 'unix://'.length) {
    return { path: text.slice('unix://'.length) };
  }
  const match = /^(?:tcp:\/\/)?(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined || port > 65_535) {
    throw new CodedError(
      'CONSENSUS_ABCI_ADDRESS',
      `"${text}" is no address for the application; write tcp://127.0.0.1:26658 or unix:///path/of/the.sock`,
      { fields: { address: text } },
    );
  }
  return { host, port };
}
