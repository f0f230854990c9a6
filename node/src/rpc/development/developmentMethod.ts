import type { RpcDeps } from '../rpcDeps.ts';
import {
  type Args,
  type MethodDeclaration,
  type MethodParam,
  type RpcCall,
  type RpcMethod,
  rpcMethod,
  type Uses,
} from '../rpcMethod.ts';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import type { Development } from './development.ts';

/** The dependencies of methods that exist in development homes only. */
export type DevelopmentUses<U extends readonly (keyof RpcDeps)[] = readonly []> = Uses<U> & {
  readonly development: Development;
};

type Definition<P extends readonly MethodParam[], U extends readonly (keyof RpcDeps)[]> = Omit<
  MethodDeclaration,
  'name'
> & {
  readonly params: P;
  /** Beside `development`. */
  readonly uses?: U;
  readonly handle: (deps: DevelopmentUses<U>, args: Args<P>, call: RpcCall) => unknown;
};

/** One method under all the names that tools have for it. */
export function developmentMethods<
  const P extends readonly MethodParam[],
  const U extends readonly (keyof RpcDeps)[] = readonly [],
>(names: readonly string[], { uses, ...definition }: Definition<P, U>): RpcMethod[] {
  return names.map((name) =>
    rpcMethod({
      ...definition,
      name,
      home: 'development',
      uses: ['development', ...(uses ?? [])],
      // The server offers these methods only where `development` is there.
      handle: definition.handle as never,
    }),
  );
}

/** A method without a result of its own: `null` as anvil answers it, `true` as the others do. */
export function developmentSetters<
  const P extends readonly MethodParam[],
  const U extends readonly (keyof RpcDeps)[] = readonly [],
>(names: readonly string[], definition: Omit<Definition<P, U>, 'result'>): RpcMethod[] {
  return names.flatMap((name) => {
    const answer = name.startsWith('anvil_') ? null : true;
    const result: JsonSchema = answer === null ? { type: 'null' } : { const: true };
    const handle: Definition<P, U>['handle'] = async (...all) => {
      await definition.handle(...all);
      return answer;
    };
    return developmentMethods([name], { ...definition, result, handle });
  });
}
