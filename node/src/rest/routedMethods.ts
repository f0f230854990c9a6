import type { HttpRule, ProtoMethod, ProtoSchema } from '../proto/index.ts';
import { pathPattern } from './pathPattern.ts';

export interface RoutedMethod {
  readonly method: ProtoMethod;
  readonly rule: HttpRule;
}

/**
 * Every HTTP rule of the methods that are answered. Of two that no request can tell apart the later one counts, as
 * in the gateway: `/bech32/{address_string}` hides `/bech32/{address_bytes}`.
 */
export function routedMethods(schema: ProtoSchema, answered: readonly string[]): RoutedMethod[] {
  const paths = new Set(answered);
  const routes = new Map<string, RoutedMethod>();
  for (const method of schema.methods) {
    if (!paths.has(method.path)) continue;
    for (const rule of method.http)
      routes.set(`${rule.verb} ${pathPattern(rule.template).path}`, { method, rule });
  }
  return [...routes.values()];
}
