import type { RpcDeps } from '../rpcDeps.ts';
import type { BlockResolver, Need, RpcCall, RpcMethod } from '../rpcMethod.ts';

interface NamedBlock {
  /** Of the parameter. */
  readonly index: number;
  readonly resolve: BlockResolver<never, unknown>;
}

/** A method with the dependencies that it uses, which are taken out once: a call makes no object of them. */
export class BoundMethod {
  readonly method: RpcMethod;
  readonly #deps: RpcDeps;
  /** Whatever reaches past its `uses` by a cast finds nothing. */
  readonly #used: RpcDeps;
  readonly #needs: readonly Need[];
  readonly #blocks: readonly NamedBlock[];

  constructor(method: RpcMethod, deps: RpcDeps) {
    this.method = method;
    this.#deps = deps;
    const own = { ...deps, ...method.given?.(deps) };
    this.#used = Object.fromEntries((method.uses ?? []).map((name) => [name, own[name]])) as never;
    this.#needs = method.needs ?? [];
    this.#blocks = method.params.flatMap(({ resolve }, index) => (resolve ? [{ index, resolve }] : []));
  }

  /** Resolves the blocks that `args` name, in place, then handles the call. `args` are decoded. */
  run(args: unknown[], call: RpcCall): unknown {
    for (let at = 0; at < this.#blocks.length; at++) {
      const block = this.#blocks[at]!;
      const found = this.#resolve(block, args);
      if (found instanceof Promise) return this.#runLater({ args, at, found }, call);
      args[block.index] = found;
    }
    return this.method.handle(this.#used, args, call);
  }

  async #runLater(
    { args, at, found }: { readonly args: unknown[]; readonly at: number; readonly found: Promise<unknown> },
    call: RpcCall,
  ): Promise<unknown> {
    args[this.#blocks[at]!.index] = await found;
    for (const block of this.#blocks.slice(at + 1)) args[block.index] = await this.#resolve(block, args);
    return this.method.handle(this.#used, args, call);
  }

  #resolve({ index, resolve }: NamedBlock, args: readonly unknown[]): unknown {
    return resolve(this.#deps, args[index] as never, this.#needs);
  }
}
