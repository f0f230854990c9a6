import type { MethodError, RpcMethod } from '../rpcMethod.ts';
import { COMPONENTS } from '../schema/components.ts';
import { commonErrors } from './commonErrors.ts';

const OPENRPC_VERSION = '1.3.2';

/** The OpenRPC document of methods. `release` is the node's. */
export function openRpcDocument(methods: readonly RpcMethod[], release: string): Record<string, unknown> {
  return {
    openrpc: OPENRPC_VERSION,
    info: {
      title: 'EVM JSON-RPC of chaind',
      version: release,
      license: { name: 'Apache-2.0' },
    },
    methods: methods.map(methodObject),
    components: { schemas: COMPONENTS },
  };
}

/** The part of a name before the underscore. */
export function namespaceOf({ name }: RpcMethod): string {
  return name.slice(0, name.indexOf('_'));
}

function methodObject(method: RpcMethod): Record<string, unknown> {
  const namespace = namespaceOf(method);
  return {
    name: method.name,
    summary: method.summary,
    tags: [{ name: namespace }],
    paramStructure: 'by-position',
    params: method.params.map(({ name, required, schema, fallback }) => ({
      name,
      required,
      schema: fallback === undefined ? schema : { ...schema, default: fallback },
    })),
    result: { name: 'result', schema: method.result },
    errors: errorObjects([...commonErrors(method), ...(method.errors ?? [])]),
    ...(/^chain2?$/.test(namespace) && { deprecated: true }),
    ...(method.needs && { 'x-needs': method.needs }),
    ...(method.home && { 'x-home': method.home }),
    ...(method.transport && { 'x-transport': method.transport }),
  };
}

function errorObjects(errors: readonly MethodError[]): MethodError[] {
  return errors.map(({ code, message }) => ({ code, message }));
}
