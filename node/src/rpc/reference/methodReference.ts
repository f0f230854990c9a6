import type { MethodError, RpcMethod } from '../rpcMethod.ts';
import { COMPONENTS } from '../schema/components.ts';
import { namespaceOf } from './openRpcDocument.ts';
import { schemaText } from './schemaText.ts';

const HEAD = `# JSON-RPC
Generated from the method table in \`node/src/rpc\`; do not edit. The same table is served by \`rpc_discover\` as an
OpenRPC document.

POST to \`/\` on port 8545. Parameters are positional; an optional one may be left out or null. Every method may
answer −32602 for parameters that it cannot read, and −32002 when it takes too long. A method that needs data of a
block answers −32000 for a height that is not there yet, or no longer: the message names the first height that has
it. Methods of development homes (\`chaind dev\`) do not exist on other nodes. Objects have exactly the members that
are shown; \`?\` marks those that may be absent.
`;

/** `docs/reference/json-rpc.md` (kept up to date by `npm run gen`). */
export function methodReference(methods: readonly RpcMethod[]): string {
  const namespaces = Map.groupBy(methods, namespaceOf);
  const sections = [...namespaces].map(([name, members]) => namespaceSection(name, members));
  return `${HEAD}\n${sections.join('\n')}\n${objectsSection()}`;
}

function namespaceSection(namespace: string, methods: readonly RpcMethod[]): string {
  const sorted = [...methods].sort((a, b) => (a.name < b.name ? -1 : 1));
  return `## ${namespace}\n${sorted.map(methodEntry).join('\n')}`;
}

function methodEntry(method: RpcMethod): string {
  const params = method.params.map(({ name, required, schema, fallback }) => {
    const otherwise = fallback === undefined ? '' : `, \`${JSON.stringify(fallback)}\` when absent`;
    return `${required ? '' : 'optional '}\`${name}\` ${schemaText(schema)}${otherwise}`;
  });
  const lines = [
    `- Parameters: ${params.length === 0 ? 'none' : params.join('; ')}`,
    `- Result: ${schemaText(method.result)}`,
    ...(method.transport ? ['- Only over WebSocket'] : []),
    ...(method.home ? ['- Only in a development home'] : []),
    ...(method.needs
      ? [`- Needs: ${method.needs.join(', ').replace('stateBefore', 'state of the block before')}`]
      : []),
    ...(method.errors ?? []).map(errorLine),
  ];
  return `### \`${method.name}\`\n${method.summary}.\n\n${lines.join('\n')}\n`;
}

function errorLine({ code, message }: MethodError): string {
  return `- Error ${code}: ${message}`;
}

function objectsSection(): string {
  const entries = Object.entries(COMPONENTS).map(([name, schema]) => {
    const description = typeof schema.description === 'string' ? `${schema.description}. ` : '';
    return `### ${name}\n${description}${schemaText({ ...schema, description: undefined }, 'whole')}\n`;
  });
  return `## Values and objects\n${entries.join('\n')}`;
}
