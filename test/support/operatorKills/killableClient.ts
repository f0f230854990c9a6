import type { KubeClient } from '../../../operator/src/kube/index.ts';

/** The operator's process is gone. */
export class OperatorKilled extends Error {}

const WRITES = ['apply', 'create', 'replace', 'patchStatus', 'patchMetadata', 'patch', 'delete'] as const;
export type Write = (typeof WRITES)[number];

/** Like `client`; at each write `at` may throw, before it is sent and when its answer has come. */
export function killableClient(
  client: KubeClient,
  at: (moment: 'before' | 'after', write: Write, kind: string) => void,
): KubeClient {
  const wrapped = Object.fromEntries(
    WRITES.map((write) => [
      write,
      async (kind: { readonly kind: string }, ...rest: readonly unknown[]) => {
        at('before', write, kind.kind);
        const send = client[write] as (...args: readonly unknown[]) => Promise<unknown>;
        const answer = await send.call(client, kind, ...rest);
        at('after', write, kind.kind);
        return answer;
      },
    ]),
  );
  return new Proxy(client, {
    get: (target, name) => {
      const own = wrapped[name as string];
      if (own) return own;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
