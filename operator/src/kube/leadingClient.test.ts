import { type CodedError, silentLogger } from '@chain/platform';
import { expect, it } from 'vitest';
import { KINDS, type KubeClient } from './index.ts';
import { LeaderElection } from './runtime/leaderElection.ts';
import { leadingClient } from './runtime/leadingClient.ts';

it('a process that stood still for longer than its lease writes nothing more', async () => {
  const sent: string[] = [];
  let nowMs = 0;
  const record =
    (name: string) =>
    async (_kind: unknown, object: object): Promise<unknown> => {
      sent.push(name);
      return { metadata: { name: 'lease', namespace: 'n' }, ...object };
    };
  const writes = ['apply', 'create', 'replace', 'patchStatus', 'patchMetadata', 'patch', 'delete'] as const;
  const server = {
    clock: { now: () => nowMs },
    get: async () => undefined,
    ...Object.fromEntries(writes.map((name) => [name, record(name)])),
  } as unknown as KubeClient;
  const election = new LeaderElection(
    {
      namespace: 'n',
      name: 'lease',
      identity: 'me',
      leaseMs: 15_000,
      renewDeadlineMs: 10_000,
      retryMs: 1_000_000,
    },
    { client: server, logger: silentLogger, now: () => nowMs },
  );
  const client = leadingClient(server, () => election.assertLeading());
  const [lease, ref] = [KINDS.lease, { namespace: 'n', name: 'lease' }];
  const object = { metadata: ref };
  const all = [
    () => client.apply(lease, object, { fieldManager: 'm' }),
    () => client.create(lease, object),
    () => client.replace(lease, object),
    () => client.patchStatus(lease, object, {}),
    () => client.patchMetadata(lease, ref, {}),
    () => client.patch(lease, ref, {}),
    () => client.delete(lease, ref),
  ];
  const refused = (): Promise<unknown[]> =>
    Promise.all(
      all.map((write) =>
        write().then(
          () => 'sent',
          (error: CodedError) => error.code,
        ),
      ),
    );
  expect(new Set(await refused())).toEqual(new Set(['LEADER_LOST']));
  expect(await election.acquire()).toBe(true);
  nowMs = 9_999;
  expect(new Set(await refused())).toEqual(new Set(['sent']));
  sent.length = 0;
  nowMs = 10_000;
  expect(new Set(await refused())).toEqual(new Set(['LEADER_LOST']));
  expect(sent).toEqual([]);
  expect(await client.get(lease, ref)).toBe(undefined);
  await election.close();
});
