import fc from 'fast-check';
import { expect, it } from 'vitest';
import { floorOf } from './budget.ts';
import { isCurrent, partOf } from './member.ts';
import { fleetOf, type Given, NEW_IMAGE, SECOND, SimulatedFleet, SPLIT } from './simulatedFleet.fixture.ts';
import type { SimulatedNode } from './simulatedNode.fixture.ts';

/** Random histories; a hundred thousand in the soak. */
const RUNS = Number(process.env.DISRUPTION_RUNS ?? 60);
const SEED = process.env.SOAK_SEED === undefined ? {} : { seed: Number(process.env.SOAK_SEED) };
const BROKEN = 'node:broken';
const MENDED = { template: { spec: { image: 'node:9' } } };
/** Long enough for each node to be changed twice, alone; a simulated second costs nothing. */
const WELL_LOOKS = 30;

type Event =
  | { readonly kind: 'spec'; readonly spec: Given }
  | { readonly kind: 'scale'; readonly share: number }
  | { readonly kind: 'ill'; readonly share: number; readonly forS: number }
  | { readonly kind: 'halt'; readonly forS: number }
  | { readonly kind: 'trust'; readonly is: boolean }
  | { readonly kind: 'operator' }
  | { readonly kind: 'resume' };

interface History {
  readonly nodes: number;
  readonly maxUnavailable: number | string;
  readonly minSynced: number;
  readonly strategy: 'Rolling' | 'Surge';
  readonly kept: boolean | undefined;
  /** In how many of ten looks the operator comes to a node. */
  readonly attention: number;
  readonly events: readonly { readonly afterS: number; readonly event: Event }[];
}

const share = fc.integer({ min: 1, max: 10 });
const EVENT: fc.Arbitrary<Event> = fc.oneof(
  fc.constantFrom(
    { kind: 'spec', spec: NEW_IMAGE } as const,
    { kind: 'spec', spec: { template: { spec: { image: BROKEN } } } } as const,
    { kind: 'spec', spec: SPLIT } as const,
    { kind: 'spec', spec: { overrides: [{ ordinal: 0, patch: { image: 'node:4' } }] } } as const,
    { kind: 'operator' } as const,
    { kind: 'resume' } as const,
  ),
  fc.record({ kind: fc.constant('scale' as const), share }),
  fc.record({ kind: fc.constant('ill' as const), share, forS: fc.constantFrom(5, 10, 40, 700) }),
  fc.record({ kind: fc.constant('halt' as const), forS: fc.constantFrom(5, 30, 300, 900) }),
  fc.record({ kind: fc.constant('trust' as const), is: fc.boolean() }),
);
/** Most fleets are small, and some are of two hundred. */
const NODES = fc.oneof(
  { weight: 890, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 100, arbitrary: fc.integer({ min: 9, max: 30 }) },
  { weight: 10, arbitrary: fc.integer({ min: 31, max: 200 }) },
);
const HISTORY: fc.Arbitrary<History> = fc.record({
  nodes: NODES,
  maxUnavailable: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('10%', '25%', '50%')),
  minSynced: fc.integer({ min: 0, max: 3 }),
  strategy: fc.constantFrom('Rolling' as const, 'Rolling' as const, 'Surge' as const),
  kept: fc.constantFrom(undefined, false, true),
  attention: fc.integer({ min: 5, max: 10 }),
  events: fc.array(fc.record({ afterS: fc.integer({ min: 0, max: 60 }), event: EVENT }), { maxLength: 7 }),
});

/** An old node of a surge stays for the floor's sake, and the twins that would mend the others did not come … */
const TWINS_MUST_COME: History = {
  nodes: 7,
  maxUnavailable: '10%',
  minSynced: 2,
  strategy: 'Surge',
  kept: false,
  attention: 8,
  events: [
    { afterS: 21, event: { kind: 'spec', spec: { template: { spec: { image: BROKEN } } } } },
    { afterS: 20, event: { kind: 'scale', share: 10 } },
    { afterS: 49, event: { kind: 'spec', spec: SPLIT } },
    { afterS: 54, event: { kind: 'halt', forS: 5 } },
    { afterS: 47, event: { kind: 'ill', share: 6, forS: 5 } },
  ],
};
/** … and one that was away already lost its turn because it asked for the next thing. */
const ASKS_AGAIN_WHILE_AWAY: History = {
  nodes: 3,
  maxUnavailable: '50%',
  minSynced: 1,
  strategy: 'Rolling',
  kept: true,
  attention: 10,
  events: [
    { afterS: 21, event: { kind: 'spec', spec: NEW_IMAGE } },
    { afterS: 36, event: { kind: 'ill', share: 5, forS: 700 } },
    { afterS: 58, event: { kind: 'operator' } },
    { afterS: 32, event: { kind: 'scale', share: 4 } },
  ],
};
/** One that had its turn stood behind others in the order, and these waited for it … */
const TAKEN_GO_FIRST: History = {
  nodes: 15,
  maxUnavailable: 0,
  minSynced: 3,
  strategy: 'Rolling',
  kept: true,
  attention: 5,
  events: [
    { afterS: 53, event: { kind: 'ill', share: 3, forS: 10 } },
    { afterS: 0, event: { kind: 'spec', spec: { template: { spec: { image: BROKEN } } } } },
    { afterS: 12, event: { kind: 'scale', share: 9 } },
    { afterS: 5, event: { kind: 'trust', is: false } },
    { afterS: 15, event: { kind: 'trust', is: false } },
    { afterS: 3, event: { kind: 'operator' } },
  ],
};
/** … and one went that had begun to serve since its status was written. */
const SERVES_SINCE: History = {
  nodes: 3,
  maxUnavailable: 0,
  minSynced: 1,
  strategy: 'Rolling',
  kept: false,
  attention: 8,
  events: [
    { afterS: 1, event: { kind: 'scale', share: 9 } },
    { afterS: 12, event: { kind: 'ill', share: 9, forS: 40 } },
    { afterS: 47, event: { kind: 'scale', share: 3 } },
    { afterS: 2, event: { kind: 'halt', forS: 5 } },
    { afterS: 58, event: { kind: 'operator' } },
    { afterS: 54, event: { kind: 'scale', share: 1 } },
  ],
};

const PINNED = [TWINS_MUST_COME, ASKS_AGAIN_WHILE_AWAY, TAKEN_GO_FIRST, SERVES_SINCE];

/** Random enough, and the same each time. */
function dice(): (sides: number) => number {
  let state = 1;
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % sides;
  };
}

function livedThrough(history: History): SimulatedFleet {
  const { nodes, maxUnavailable, minSynced, strategy, attention } = history;
  const disruption = { maxUnavailable, ...(minSynced < nodes && { minSynced }) };
  const soak = '1m';
  const fleet = fleetOf({ replicas: nodes, disruption, update: { strategy, soak } });
  const simulated = new SimulatedFleet(fleet);
  const roll = dice();
  simulated.brokenImage = BROKEN;
  if (history.kept !== undefined) simulated.keptVolumes = { isSplit: history.kept };
  simulated.comesTo = () => roll(10) < attention;
  watch(simulated);
  let haltedUntilMs = 0;
  const onLook = () => {
    if (simulated.nowMs >= haltedUntilMs) simulated.haltedAt = undefined;
  };
  simulated.run(40 * SECOND, onLook);
  for (const { afterS, event } of history.events) {
    if (event.kind === 'halt') {
      simulated.haltedAt = 77;
      haltedUntilMs = simulated.nowMs + event.forS * SECOND;
    } else happen(simulated, event, nodes, roll);
    simulated.run(afterS * SECOND, onLook);
  }
  simulated.haltedAt = undefined;
  return simulated;
}

function happen(
  simulated: SimulatedFleet,
  event: Exclude<Event, { kind: 'halt' }>,
  nodes: number,
  roll: (sides: number) => number,
): void {
  const { fleet, nowMs } = simulated;
  if (event.kind === 'spec') simulated.change(event.spec);
  else if (event.kind === 'scale')
    simulated.change({ replicas: Math.max(1, Math.ceil((nodes * event.share) / 7)) });
  else if (event.kind === 'trust') simulated.isTrusted = event.is;
  else if (event.kind === 'operator') simulated.operator++;
  else if (event.kind === 'resume') {
    const annotations = { 'chain.dev/resume': fleet.status?.rollout?.revision ?? '' };
    simulated.fleet = { ...fleet, metadata: { ...fleet.metadata, annotations } };
  } else {
    for (const one of simulated.nodes.values())
      if (roll(10) < event.share) one.illUntilMs = nowMs + event.forS * SECOND;
  }
}

/** Whenever the operator takes a node away: no more than it may at once, and enough others serve. */
function watch(simulated: SimulatedFleet): void {
  let most = 1;
  const { comesTo } = simulated;
  // What was granted may begin after the fleet was made smaller.
  simulated.comesTo = (name) => {
    const { spec } = simulated.fleet;
    most = Math.max(most, spec.replicas - floorOf(spec));
    return comesTo(name);
  };
  simulated.onLeave = (leaver, why) => {
    const { spec } = simulated.fleet;
    const floor = floorOf(spec);
    if (partOf(leaver.node) === 'Twin' || partOf(leaver.node) === 'Retired') return;
    const others = [...simulated.nodes.values()].filter((one) => one !== leaver);
    if (leaver.serves(simulated)) {
      const serving = others.filter((one) => one.serves(simulated)).length;
      expect(serving, `nodes that serve when ${leaver.node.metadata.name} goes`).toBeGreaterThanOrEqual(
        floor,
      );
    }
    if (why === 'change') expect(others.filter(isGone).length, 'others that are away').toBeLessThan(most);
  };
}

const isGone = (one: SimulatedNode): boolean => one.isAway && isCurrent({ part: partOf(one.node) });

/** All troubles are over, and a spec that works is there: everything is as asked for in bounded time. */
function becomesWell(simulated: SimulatedFleet): void {
  for (const one of simulated.nodes.values()) one.illUntilMs = 0;
  simulated.isTrusted = true;
  simulated.change({ ...MENDED, disruption: { minSynced: 0 } });
  const { replicas } = simulated.fleet.spec;
  const isDone = () =>
    simulated.serving === replicas &&
    ['Complete', 'Soaking'].includes(simulated.fleet.status?.rollout?.phase ?? '') &&
    simulated.list().every(({ spec, metadata, status }) => {
      const isAsked = status?.stateStore?.evmSplit === spec.stateStore.evmSplit;
      return metadata.annotations?.['chain.dev/turn'] === undefined && isAsked;
    });
  let { blocker } = simulated.look();
  for (let looks = WELL_LOOKS * (replicas + 5); looks > 0 && !isDone(); looks--)
    ({ blocker } = simulated.run(SECOND));
  const { rollout } = simulated.fleet.status!;
  expect(isDone(), JSON.stringify({ blocker, rollout, serving: simulated.serving, replicas })).toBe(true);
}

it('whatever happens when, a fleet keeps its floor as far as the operator goes, and comes through once all is well', () => {
  fc.assert(
    fc.property(HISTORY, (history) => becomesWell(livedThrough(history))),
    { numRuns: RUNS, ...SEED, examples: PINNED.map((one) => [one]) },
  );
});
