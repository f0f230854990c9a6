/** The objects of a node, by its name. */
export const nodeNames = (name: string) => ({
  statefulSet: name,
  pod: `${name}-0`,
  serviceAccount: name,
  config: `${name}-config`,
  limiter: `${name}-limiter`,
  /** Clients come here. */
  service: name,
  peers: `${name}-peers`,
  metrics: `${name}-metrics`,
  budget: name,
  networkPolicy: name,
  podMonitor: name,
  claim: `data-${name}`,
  nodeKey: `${name}-node-key`,
  signFloor: `${name}-sign-floor`,
});

/** Of containers, volumes and places in the pod; Jobs that work on the volume go by the same. */
export const POD_NAMES = {
  node: 'node',
  home: 'home',
  volume: 'volume',
  limiter: 'rate-limiter',
  dataVolume: 'data',
  tmpVolume: 'tmp',
  configVolume: 'config',
  genesisVolume: 'genesis',
  keysVolume: 'keys',
  limiterVolume: 'limiter',
  configMount: '/etc/chain/config',
  genesisMount: '/etc/chain/genesis',
  keysMount: '/etc/chain/keys',
  limiterMount: '/etc/limiter',
  signFloorVolume: 'sign-floor',
  signFloorMount: '/etc/chain/sign-floor',
  signFloorFile: 'sign_floor.json',
} as const;
