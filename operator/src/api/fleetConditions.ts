import type { ConditionTable } from './condition.ts';

/** Conditions of a ChainNodeFleet. All are there from the first look on. */
export const FLEET_CONDITIONS = {
  Ready: {
    about: 'Every node serves, and none waits for a change.',
    reasons: {
      AllServing: 'They do.',
      Progressing: 'Nodes are being made, changed or removed.',
      Degraded: 'Nodes do not serve.',
      Paused: 'spec.paused: nothing is changed.',
      Terminating: 'It is being deleted.',
    },
  },
  Reconciling: {
    about: 'Nodes differ from the template, and the operator is changing them.',
    reasons: {
      UpToDate: 'None differs.',
      RollingOut: 'A rollout is running.',
      Scaling: 'Nodes are being made or removed.',
      Paused: 'spec.paused: nothing is changed.',
      Terminating: 'It is being deleted.',
    },
  },
  Stalled: {
    about: 'The operator cannot go on until a person changes something.',
    reasons: {
      Healthy: 'Nothing stands in the way.',
      InvalidSpec: 'The template with an override makes no node.',
      NodeRefused: 'The API server refuses a node that the template leads to.',
      NameTaken: 'A node, or an object, of the name that is needed belongs to somebody else.',
      RolloutPaused: 'The rollout has stopped by itself and waits for a person.',
    },
  },
  Available: {
    about: 'At least as many nodes serve as spec.disruption asks for.',
    reasons: { EnoughServing: 'They do.', TooFewServing: 'They do not.' },
  },
  Progressing: {
    about: 'A rollout is running.',
    reasons: {
      Idle: 'None is.',
      RollingOut: 'One is.',
      Waiting: 'One waits for its window, its delay or a node to be synced.',
      Paused: 'One has stopped.',
    },
  },
  Degraded: {
    about: 'A node is not what it should be, and not because the operator is changing it.',
    reasons: {
      AllHealthy: 'None is.',
      NodesUnhealthy: 'Nodes do not serve.',
      NodesStalled: 'Nodes cannot go on until a person changes something, whether or not they serve.',
      NodesHeld: 'Migrations of nodes have stopped.',
    },
  },
  RolloutBlocked: {
    about: 'The next node may not be changed yet.',
    reasons: {
      NotBlocked: 'It may, or none is left.',
      Budget: 'Too few nodes would serve, or as many as may be are away already.',
      ChainHalted: 'All nodes of the chain are stale at one height: the chain stands, not the nodes.',
      NodeHeld: "A node's migration has stopped.",
      OutsideWindow: 'No window of spec.update.windows is open.',
      Delay: 'spec.update.delay is not over.',
      CanarySoaking: 'The canary has not run long enough.',
      CanaryWaiting: 'The canary waits to be promoted.',
      CanaryFailed: 'The canary answers differently, or is not healthy.',
      TwinDiffers: 'The second node of a surge answers differently.',
      Partition: 'Nodes below spec.update.partition keep what they have.',
      Paused: 'spec.paused: nothing is changed.',
    },
  },
} as const satisfies ConditionTable;

export const ROLLOUT_PHASES = [
  'Idle',
  'Canary',
  'Rolling',
  'Surging',
  'Soaking',
  'Blocked',
  'Paused',
  'Complete',
] as const;
