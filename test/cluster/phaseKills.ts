import type { Cluster } from '../support/cluster.ts';

export interface KillPlan {
  /** Node whose migration is watched. */
  readonly node: string;
  readonly phases: readonly string[];
  /** kubectl's arguments that name what is killed. */
  readonly victim: readonly string[];
}

/** Kills once in each phase, as soon as the status tells that the phase has begun. */
export function killInPhases(cluster: Cluster, namespace: string, plans: readonly KillPlan[]) {
  const done: string[] = [];
  const ends = plans.map(({ node, phases, victim }) => {
    const left = new Set(phases);
    const args = [
      '-n',
      namespace,
      'get',
      'cn',
      node,
      '-w',
      '-o',
      'jsonpath={.status.migration.phase}{"\\n"}',
    ];
    return cluster.follow(args, (phase) => {
      if (!left.delete(phase)) return;
      const now = ['--grace-period=0', '--force', '--wait=false', '--ignore-not-found'];
      void cluster.kubectl('delete', ...victim, ...now).then(
        () => done.push(`${node} ${phase}`),
        () => undefined,
      );
    });
  });
  return {
    done,
    end: (): void => {
      for (const end of ends) end();
    },
  };
}
