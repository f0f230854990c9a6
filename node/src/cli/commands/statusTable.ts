import type { NetworkStatus } from '../../app/index.ts';

const SHORT_HASH = 16;

/** The network as lines of text, one a node. */
export function statusTable({ nodes, comparedHeight, agree }: NetworkStatus): string[] {
  const rows = nodes.map(({ node: { name, role, ports }, height, peers, catchingUp, appHash }) => [
    name,
    height === undefined ? 'starting' : catchingUp ? 'syncing' : 'running',
    height === undefined ? '-' : String(height),
    height === undefined ? '-' : String(peers),
    appHash?.slice(0, SHORT_HASH) ?? '-',
    role === 'rpc' ? `http://127.0.0.1:${ports.http}` : '-',
    `http://127.0.0.1:${ports.consensusRpc}`,
  ]);
  const verdict = agree ? 'equal' : 'DIFFERENT';
  const hashTitle = comparedHeight > 0 ? `app hash in block ${comparedHeight}` : 'app hash';
  const head = ['node', 'state', 'height', 'peers', hashTitle, 'JSON-RPC', 'consensus RPC'];
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  return comparedHeight > 0 ? [...lines, `app hashes: ${verdict}`] : lines;
}
