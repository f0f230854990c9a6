import type { CometMethod } from './cometMethod.ts';

const INTRODUCTION = `# Consensus RPC

*Made by \`npm run gen\` from the method table in \`node/src/cometRpc/methods\`. Do not edit.*

What a node with the embedded engine answers on port 26657: the RPC of CometBFT v0.38, so that CosmJS, \`cometbft light\`, exporters and relayers work unchanged. Keys are those of \`[rpc]\` in config.toml ([every key](config.md)).

- **URI**: \`GET /<method>?name=value\`. Integers stand bare or quoted, texts are quoted, bytes are \`0x…\` or a quoted text. Failures have status 500, the id of each answer is −1.
- **JSON-RPC**: \`POST /\`, parameters by name or all of them in order. 64-bit integers are strings, bytes are base64, hex bytes are hex. Batches up to \`max_request_batch_size\`.
- **WebSocket**: \`/websocket\`, the same calls one at a time and the subscriptions.
- A failed call has code −32603, "Internal error", and the reason in \`data\`.
- Queries join conditions with AND: \`tag = 'text'\`, \`tag = 5\`, \`< <= > >=\`, \`tag CONTAINS 'text'\`, \`tag EXISTS\`, \`TIME …\`, \`DATE …\`. Subscriptions see \`tm.event\` (\`NewBlock\`, \`NewBlockHeader\`, \`NewBlockEvents\`, \`Tx\`), \`tx.hash\`, \`tx.height\` and the attributes of transactions. In \`tx_search\` the conditions but for \`tx.height\` must hold for one event.

Unlike CometBFT, answers that change are never marked as cacheable, and steps of a consensus round are not published, for a single validator takes none that others could see.
`;

/** The page of the reference. */
export function cometReference(
  methods: readonly CometMethod[],
  unsafeMethods: readonly CometMethod[],
): string {
  const unsafeNames = new Set(unsafeMethods.map(({ name }) => name));
  const unsafeNote = (name: string) => (unsafeNames.has(name) ? '; only with `unsafe = true`' : '');
  const rows = [...methods, ...unsafeMethods].map(({ name, summary, params, webSocketOnly }) => {
    const list = Object.entries(params).map(([param, kind]) => `\`${param}\` (${kind.name})`);
    return `| \`${name}\` | ${list.join(', ')} | ${summary}${webSocketOnly ? '; WebSocket only' : ''}${unsafeNote(name)} |`;
  });
  return `${INTRODUCTION}\n| method | parameters | answer |\n|---|---|---|\n${rows.join('\n')}\n`;
}
