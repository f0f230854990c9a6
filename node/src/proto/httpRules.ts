import { type DescMethod, getExtension, hasExtension, type Registry } from '@bufbuild/protobuf';

/** A `google.api.http` binding of a method. */
export interface HttpRule {
  readonly verb: 'GET' | 'POST';
  /** With parameters as `/balances/{address}`; `{denom=**}` takes the rest of the path. */
  readonly template: string;
  /** The request is the JSON body. */
  readonly body: boolean;
}

/** As google/api/http.proto has it, in protobuf-es' form of an extension that is known at run time only. */
interface HttpRuleMessage {
  readonly pattern: { readonly case?: string; readonly value?: unknown };
  readonly body: string;
  readonly additionalBindings: readonly HttpRuleMessage[];
}

export function httpRulesOf(registry: Registry): (method: DescMethod) => HttpRule[] {
  const extension = registry.getExtension('google.api.http')!;
  return ({ proto }) => {
    if (!proto.options || !hasExtension(proto.options, extension)) return [];
    return bindings(getExtension(proto.options, extension) as unknown as HttpRuleMessage);
  };
}

function bindings(rule: HttpRuleMessage): HttpRule[] {
  const { case: verb, value } = rule.pattern;
  const own: HttpRule[] =
    verb === 'get' || verb === 'post'
      ? [{ verb: verb === 'get' ? 'GET' : 'POST', template: String(value), body: rule.body === '*' }]
      : [];
  return [...own, ...rule.additionalBindings.flatMap(bindings)];
}
