import type { Param } from '../codec/codec.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import type { MethodDeclaration, RpcCall, RpcMethod } from '../rpcMethod.ts';
import { rpcMethod } from '../rpcMethod.ts';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import type { Development } from './development.ts';

/** The dependencies of methods that exist in development homes only. */
export type DevelopmentDeps = RpcDeps & { readonly development: Development };

type Args<P extends readonly Param<unknown>[]> = {
  -readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never;
};

type Definition<P extends readonly Param<unknown>[]> = Omit<MethodDeclaration, 'name'> & {
  readonly params: P;
  readonly handle: (deps: DevelopmentDeps, args: Args<P>, call: RpcCall) => unknown;
};

/** One method under all the names that tools have for it. */
export function developmentMethods<const P extends readonly Param<unknown>[]>(
  names: readonly string[],
  definition: Definition<P>,
): RpcMethod[] {
  // The server offers these methods only where `development` is there.
  const method = { ...definition, home: 'development' as const, handle: definition.handle as never };
  return names.map((name) => rpcMethod({ ...method, name }));
}

/** A method without a result of its own: `null` as anvil answers it, `true` as the others do. */
export function developmentSetters<const P extends readonly Param<unknown>[]>(
  names: readonly string[],
  definition: Omit<Definition<P>, 'result'>,
): RpcMethod[] {
  return names.flatMap((name) => {
    const answer = name.startsWith('anvil_') ? null : true;
    const result: JsonSchema = answer === null ? { type: 'null' } : { const: true };
    const handle: Definition<P>['handle'] = async (...all) => {
      await definition.handle(...all);
      return answer;
    };
    return developmentMethods([name], { ...definition, result, handle });
  });
}
