import type { ConditionTable } from './condition.ts';

const NOT_APPLICABLE = { NotApplicable: 'Does not apply to this node.' } as const;

/**
 * Conditions of a ChainNode. All are there from the first look on, but `Ready` of a node that shall not serve: tools that
 * wait for resources (kstatus: Flux, Argo CD, kpt) take a false one for work in progress.
 */
export const NODE_CONDITIONS = {
  Ready: {
    about:
      'The node serves clients. Not there while the spec wants it not to: hibernated, fenced, or paused and down.',
    reasons: {
      Serving: 'It is synced, and Services send clients to it.',
      StandingBy: 'It is synced, and stands beside the node of its fleet that it shall replace.',
      Pending: 'Its pod is not there, or not scheduled, yet.',
      Starting: 'Its pod runs; the node is not ready.',
      Syncing: 'It catches up with the chain.',
      Stale: 'Its newest block is too old.',
      Unreachable: 'Its pod runs and does not answer.',
      Draining: 'Clients are sent elsewhere.',
      Migrating: 'A migration has taken it out of service.',
      Held: 'A migration has stopped and waits for a person.',
      CrashLooping: 'The node ends again and again.',
      Refused: 'The spec cannot be carried out; Stalled says why.',
      Terminating: 'It is being deleted.',
    },
  },
  Reconciling: {
    about: 'What is there differs from the spec, and the operator is changing it.',
    reasons: {
      UpToDate: 'Nothing is left to change.',
      Progressing: 'Objects were changed and are not in effect yet.',
      Migrating: 'A migration is running.',
      Retrying: 'Something failed for the moment and is tried again.',
      Paused: 'spec.paused: nothing is changed.',
      Stalled: 'It cannot go on; Stalled says why.',
      Terminating: 'It is being deleted.',
    },
  },
  Stalled: {
    about: 'The operator cannot go on until a person changes something.',
    reasons: {
      Healthy: 'Nothing stands in the way.',
      InvalidSpec: 'The spec asks for what cannot be.',
      ReservedName: 'The spec sets a key or a name that the operator sets itself.',
      NameTaken: "An object of a name that the node needs is somebody else's; it is left as it is.",
      MissingReference: 'A Secret, ConfigMap or claim that the spec names is not there.',
      ObjectRefused: 'The API server refuses an object that the spec leads to.',
      MigrationBlocked: 'A migration is asked for that cannot begin.',
      MigrationHeld: 'A migration has stopped and waits for a person.',
      StorageFailed: 'The volume cannot be had, or cannot grow.',
      KeyInUse: 'Another node signs with the validator key, or may still do so.',
      KeyChanged: 'The Secret has another validator key than the one that the node signs with.',
      KeyLost: 'The Secret with the key of the node was lost, and no copy of it was found.',
      SignStateAtRisk: 'The validator key has signed what the volume does not know of.',
      VolumeInUse: 'Another node uses the claim.',
      PodFails: 'A container cannot be started (its image, say), or ends again and again.',
    },
  },
  Synced: {
    about: 'The node is at the head of the chain.',
    reasons: {
      AtHead: 'Its newest block is fresh.',
      CatchingUp: 'It says that it is catching up.',
      Stale: 'Its newest block is older than probes.maxBlockAge.',
      NoBlock: 'It has no block yet.',
      Unreachable: 'It does not answer.',
      NotRunning: 'It has no running pod.',
    },
  },
  ProxyReady: {
    about: 'The rate limiter before the consensus RPC lets clients through.',
    reasons: {
      Ready: 'It is ready.',
      NotReady: 'It is not ready.',
      Disabled: 'spec.proxy.enabled is false.',
      NotRunning: 'The node has no running pod.',
    },
  },
  StorageReady: {
    about: 'The volume is bound and as large as asked for.',
    reasons: {
      Bound: 'It is.',
      Pending: 'The claim is not bound yet.',
      Resizing: 'It is growing.',
      ResizeRefused: 'The storage cannot grow as asked for.',
      NearlyFull: 'It is fuller than storage.autoGrow.threshold and may not grow further.',
      Lost: 'The claim has lost its volume.',
      Missing: 'The claim that the spec names is not there.',
      NotAsSpecified:
        'It is bound, and differs from the spec in what never changes: class, mode, a smaller size.',
    },
  },
  ConfigApplied: {
    about: 'The node runs with the configuration that the spec leads to.',
    reasons: {
      Applied: 'It does.',
      RestartPending: 'It takes effect at the next restart (config.restartPolicy: Manual).',
      Rolling: 'The pod is being replaced.',
      ReservedKey: 'The configuration sets a key that the operator sets itself.',
      Invalid: 'The configuration is no TOML, or holds a value that cannot be.',
      NotRunning: 'The node has no running pod.',
    },
  },
  TrustReady: {
    about: 'A trust point that enough servers agree on was found for the state sync.',
    reasons: {
      Agreed: 'It was.',
      Disagreeing: 'Servers give different hashes for one height.',
      TooFewServers: 'Fewer servers answer than stateSync.trust.minAgreeing.',
      WrongChain: 'A server is of another chain.',
      Stale: 'The newest block of the servers is too old.',
      Expired: 'The trust period is over.',
      NotResolved: 'Nobody has asked for it yet.',
      ...NOT_APPLICABLE,
    },
  },
  PeersReady: {
    about: 'The node has peers.',
    reasons: {
      Connected: 'It has.',
      TooFew: 'It has fewer than it needs.',
      NoneConfigured: 'The spec names none, and none were found.',
      NotRunning: 'The node has no running pod.',
    },
  },
  StateStoreConverged: {
    about: 'Backend and layout of the state store are those of the spec.',
    reasons: {
      Converged: 'They are.',
      SplitPending: 'The split waits for its migration.',
      UnsplitPending: 'The way back from the split waits for its migration.',
      BackendPending: 'Another backend waits for its migration.',
      Blocked: 'The migration cannot begin; nothing was changed.',
      Disabled: 'migration.policy is Disabled.',
      Migrating: 'A migration is running.',
      Held: 'A migration has stopped and waits for a person.',
      Unknown: 'The layout was not seen yet.',
    },
  },
  MigrationInProgress: {
    about: 'A migration is running.',
    reasons: {
      None: 'None is.',
      Running: 'One is.',
      Waiting: 'One waits for its window, an approval or the cause of its refusal to go away.',
      Held: 'One has stopped and waits for a person.',
      Succeeded: 'The last one succeeded.',
      RolledBack: 'The last one was taken back.',
    },
  },
  BackupVerified: {
    about: 'The keys that a migration will wipe have a backup that was read back.',
    reasons: {
      DigestMatched: 'They have.',
      Pending: 'The backup is not made, or not read back, yet.',
      Failed: 'The backup could not be made or differs.',
      ...NOT_APPLICABLE,
    },
  },
  DisruptionPending: {
    about: 'The node must be taken away for something, and waits until it may.',
    reasons: {
      Migration: 'A migration is ready, and its fleet does not let the node go yet.',
      Restart: 'Its pod is to be replaced, and its fleet does not let it go yet.',
      NextRestart: 'A new operator renders the pod otherwise; that takes effect at the next restart.',
      Begun: 'It may go, and goes.',
      None: 'Nothing waits.',
    },
  },
  Paused: {
    about: 'The operator leaves the node as it is.',
    reasons: {
      Requested: 'spec.paused is true.',
      NotPaused: 'It does not.',
    },
  },
  BackendDeprecated: {
    about: 'The state store backend will not be supported for ever.',
    reasons: {
      RocksDb: 'RocksDB will be removed from a later release.',
      Supported: 'The backend is supported.',
    },
  },
} as const satisfies ConditionTable;

export const NODE_PHASES = [
  'Pending',
  'Initializing',
  'Syncing',
  'Running',
  'Migrating',
  'Degraded',
  'Held',
  'Hibernated',
  'Fenced',
  'Paused',
  'Terminating',
] as const;
