import { RPC_CODE, RpcError } from '../rpcError.ts';
import type { RpcCall } from '../rpcMethod.ts';
import { LEGACY_METHODS } from './legacyMethods.ts';

const PREFIX = 'chain';
const GATED = /^chain2?_/;
const HEADER = 'Chain-Legacy-RPC-Deprecation';
const NOTICE =
  'All chain_* and chain2_* JSON-RPC methods are deprecated and scheduled for removal; migrate to eth_* and supported APIs.';
const canonicalNames = new Map(LEGACY_METHODS.map((name) => [name.toLowerCase(), name]));

/** Lets through only the legacy methods that the node's configuration lists (spec G-2). */
export class LegacyGate {
  readonly #allowed: ReadonlySet<string>;

  constructor(allowed: readonly string[]) {
    const names = allowed.map((name) => canonicalNames.get(name.trim().toLowerCase()));
    this.#allowed = new Set(names.filter((name) => name !== undefined));
  }

  /** Whether a method is a legacy one that may pass; false for all others. Throws the gate's error. */
  check(method: string): boolean {
    if (!method.startsWith(PREFIX) || !GATED.test(method)) return false;
    const canonical = canonicalNames.get(method.toLowerCase());
    if (canonical && this.#allowed.has(canonical)) return true;
    throw notEnabled(canonical ?? method);
  }

  /** Whether `check` would throw. */
  blocks(method: string): boolean {
    const canonical = canonicalNames.get(method.toLowerCase());
    return GATED.test(method) && !(canonical && this.#allowed.has(canonical));
  }

  /** Says on the answer that the method goes away. */
  mark(call: RpcCall): void {
    call.setHeader(HEADER, NOTICE);
  }
}

function notEnabled(method: string): RpcError {
  return new RpcError(
    RPC_CODE.methodNotFound,
    `${method} is not enabled on this node. The chain_* and chain2_* methods are deprecated and scheduled for removal; use the eth_* and debug_* methods. To allow it, add "${method}" to enabled_legacy_chain_apis under [evm] in app.toml.`,
    'legacy_chain_deprecated',
  );
}
