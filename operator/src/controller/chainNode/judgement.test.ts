import type { NodeReport } from '@chain/platform/contract';
import { describe, expect, it } from 'vitest';
import { API_VERSION, type ChainNode, NODE_KIND, nodeSpecOf } from '../../api/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { NodeView } from '../../task/index.ts';
import { type ConditionInputs, judge } from './judgement.ts';
import { phaseOf } from './phaseOf.ts';
import { podFacts } from './podFacts.ts';

const REPORT: NodeReport = {
  release: '6.5.0',
  chainId: 'c',
  nodeId: 'a'.repeat(40),
  moniker: 'm',
  mode: 'rpc',
  engine: 'cometbft',
  backend: 'pebbledb',
  evmSplit: false,
  stage: 'running',
  startedAt: '2026-01-01T00:00:00Z',
  height: 5,
  catchingUp: false,
  peers: 2,
};
const NOW = 1_000_000;

function podOf(ready: boolean, node: object = { state: { running: {} } }): Pod {
  return {
    metadata: { name: 'n-0', namespace: 'x' },
    status: {
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
      initContainerStatuses: [{ name: 'rate-limiter', ready, restartCount: 0 }],
      containerStatuses: [{ name: 'node', ready, restartCount: 0, ...node }],
    },
  } as unknown as Pod;
}

function inputsOf(parts: {
  readonly spec?: object;
  readonly pod?: Pod;
  readonly report?: Partial<NodeReport>;
  readonly problem?: string;
  readonly more?: Partial<ConditionInputs>;
  readonly desired?: Partial<NodeView['desired']>;
}): ConditionInputs {
  const spec = nodeSpecOf({
    chain: { id: 'c' },
    image: 'i',
    storage: { size: '1Gi' },
    ...parts.spec,
  } as never);
  const metadata = {
    name: 'n',
    namespace: 'x',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '',
  };
  const node: ChainNode = { apiVersion: API_VERSION, kind: NODE_KIND, metadata, spec };
  const said = parts.report && { report: { ...REPORT, ...parts.report } };
  return {
    view: {
      node,
      pod: parts.pod,
      statefulSet: undefined,
      claim: undefined,
      selectedPeers: [],
      desired: { runs: true, serves: true, isProtected: false, ...parts.desired },
      observation: { at: NOW, ...said, ...(parts.problem !== undefined && { problem: parts.problem }) },
    },
    facts: podFacts(parts.pod),
    isRolledOut: true,
    restartPending: false,
    migrating: 'no',
    nowMs: NOW,
    restart: { state: 'free' },
    ...parts.more,
  };
}

const said = (inputs: ConditionInputs, type: string): string => {
  const found = judge(inputs).find((it) => it.type === type);
  return `${found?.status} ${found?.reason}`;
};

describe('what a node is said to be', () => {
  it('serves when its pod is ready and a Service leads to it', () => {
    const inputs = inputsOf({ pod: podOf(true), report: {} });
    expect([
      phaseOf(inputs),
      said(inputs, 'Ready'),
      said(inputs, 'Synced'),
      said(inputs, 'Reconciling'),
    ]).toEqual(['Running', 'True Serving', 'True AtHead', 'False UpToDate']);
    const drained = inputsOf({ pod: podOf(true), report: {}, desired: { serves: false } });
    expect(said(drained, 'Ready')).toBe('False Draining');
  });

  it('tells a restore, a crash, an image that is not there and silence apart', () => {
    const restoring = inputsOf({
      pod: podOf(false),
      report: { stage: 'restoring', stateSync: { stage: 'restoring', chunks: 1, chunksTotal: 2 } },
    });
    expect([phaseOf(restoring), said(restoring, 'Ready')]).toEqual(['Syncing', 'False Syncing']);
    const ended = { exitCode: 1, message: 'one\nerror: the database is damaged' };
    const crashing = inputsOf({
      pod: podOf(false, {
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: ended },
      }),
    });
    expect([phaseOf(crashing), said(crashing, 'Ready'), said(crashing, 'Stalled')]).toEqual([
      'Degraded',
      'False CrashLooping',
      'True PodFails',
    ]);
    expect(crashing.facts.trouble).toContain('the database is damaged');
    const pulling = inputsOf({ pod: podOf(false, { state: { waiting: { reason: 'ImagePullBackOff' } } }) });
    expect([said(pulling, 'Ready'), said(pulling, 'Stalled')]).toEqual(['False Pending', 'True PodFails']);
    const silent = inputsOf({ pod: podOf(false), report: {}, problem: 'ECONNREFUSED' });
    expect([said(silent, 'Ready'), said(silent, 'Synced')]).toEqual([
      'False Unreachable',
      'False Unreachable',
    ]);
  });

  it('is stalled by an image that does not start until the spec goes back, not while it waits or migrates', () => {
    const waiting = { state: { waiting: { reason: 'ErrImagePull', message: 'chain-node:7 is not there' } } };
    const upgraded = inputsOf({ pod: podOf(false, waiting) });
    expect(judge(upgraded).find(({ type }) => type === 'Stalled')).toMatchObject({
      status: 'True',
      reason: 'PodFails',
      message: expect.stringContaining('chain-node:7 is not there'),
    });
    expect(said(inputsOf({ pod: podOf(true), report: {} }), 'Stalled')).toBe('False Healthy');
    const migrating = inputsOf({ pod: podOf(false, waiting), more: { migrating: 'running' } });
    expect(said(migrating, 'Stalled')).toBe('False Healthy');
    const conditions = [{ type: 'PodScheduled', status: 'False', message: 'no machine' }];
    const unscheduled = {
      metadata: { name: 'n-0', namespace: 'x' },
      status: { conditions },
    } as unknown as Pod;
    const queued = inputsOf({ pod: unscheduled });
    expect([said(queued, 'Ready'), said(queued, 'Stalled')]).toEqual(['False Pending', 'False Healthy']);
  });

  it('does as it is told: hibernated, fenced, paused, migrating, held', () => {
    const phases = [{ hibernate: true }, { fenced: true }, { paused: true }].map((spec) =>
      phaseOf(inputsOf({ spec })),
    );
    expect(phases).toEqual(['Hibernated', 'Fenced', 'Paused']);
    expect(said(inputsOf({ spec: { hibernate: true } }), 'Reconciling')).toBe('False UpToDate');
    // What waits for resources (kstatus) takes a false Ready for work in progress: there is none.
    for (const spec of [{ hibernate: true }, { fenced: true }, { paused: true }]) {
      const types = judge(inputsOf({ spec })).map(({ type }) => type);
      expect([types.includes('Ready'), types.includes('Reconciling')]).toEqual([false, true]);
    }
    expect(said(inputsOf({ spec: { paused: true }, pod: podOf(true), report: {} }), 'Ready')).toBe(
      'True Serving',
    );
    const away = { desired: { runs: false, serves: false } };
    expect(phaseOf(inputsOf({ ...away, more: { migrating: 'running' } }))).toBe('Migrating');
    const held = inputsOf({ ...away, more: { migrating: 'held' } });
    expect([phaseOf(held), said(held, 'Stalled'), said(held, 'Ready')]).toEqual([
      'Held',
      'True MigrationHeld',
      'False Held',
    ]);
    const serving = inputsOf({ pod: podOf(true), report: {}, more: { migrating: 'running' } });
    expect([phaseOf(serving), said(serving, 'Ready')]).toEqual(['Running', 'True Serving']);
  });

  it('is said nothing new of before a new leader has looked at it', () => {
    const inputs = inputsOf({ pod: podOf(false) });
    const conditions = ['Ready', 'Synced', 'PeersReady'].map((type) => ({
      type,
      status: 'False',
      reason: 'Syncing',
    }));
    const node = { ...inputs.view.node, status: { phase: 'Syncing', conditions } } as unknown as ChainNode;
    const unseen = { ...inputs, view: { ...inputs.view, node, observation: undefined } };
    const types = judge(unseen).map(({ type }) => type);
    expect(conditions.filter(({ type }) => types.includes(type as never))).toEqual([]);
    expect(phaseOf(unseen)).toBe('Syncing');
    // It was never said before: then it is said what is known.
    const first = { ...inputs, view: { ...inputs.view, observation: undefined } };
    expect([said(first, 'Ready'), said(first, 'Synced')]).toEqual(['False Starting', 'False Unreachable']);
    // What its pod alone tells is told at once.
    const down = { ...unseen, facts: podFacts(undefined) };
    expect([said(down, 'Ready'), said(down, 'Synced')]).toEqual(['False Pending', 'False NotRunning']);
  });

  it('stays ready with a spec that cannot be carried out, and says what to do', () => {
    const fault = { reason: 'ReservedName' as const, message: 'use spec.peers' };
    const inputs = inputsOf({ pod: podOf(true), report: {}, more: { fault } });
    expect([said(inputs, 'Ready'), said(inputs, 'Stalled'), said(inputs, 'ConfigApplied')]).toEqual([
      'True Serving',
      'True ReservedName',
      'False ReservedKey',
    ]);
  });
});
