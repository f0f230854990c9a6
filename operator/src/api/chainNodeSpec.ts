import type { ValueOf } from './field.ts';
import { choice, flag, group, list, text } from './fieldKinds.ts';
import {
  CHAIN_FIELDS,
  CONFIG,
  MONIKER,
  NODE_KEY,
  PEERS,
  STATE_STORE,
  STATE_SYNC,
  VALIDATOR_KEY,
} from './spec/chainFields.ts';
import { MIGRATION } from './spec/migrationFields.ts';
import { MONITORING, NETWORK_POLICY, PROXY, SERVICE } from './spec/networkFields.ts';
import { IMAGE, POD_TEMPLATE, PROBES, PULL, RESOURCES, SCHEDULING } from './spec/podFields.ts';
import { STORAGE } from './spec/storageFields.ts';

/** What nodes of one fleet have in common. */
const COMMON_FIELDS = {
  role: choice('What the node is for.', ['rpc', 'archive', 'validator', 'seed'])
    .default('rpc')
    .immutable('role'),
  image: IMAGE('Image of the node.').required(),
  ...PULL,
  version: text('Release of the image, where its tag does not tell.', {
    max: 64,
    pattern: '^v?[0-9]+\\.[0-9]+\\.[0-9]+([-+][0-9A-Za-z.+-]+)?$',
  }),
  config: CONFIG,
  stateStore: STATE_STORE,
  legacyApis: list(
    'Deprecated JSON-RPC methods that are enabled; the release decides when left out.',
    text('', { max: 64, min: 1, pattern: '^[A-Za-z0-9]+_[A-Za-z0-9]+$' }),
    { by: 'set' },
  ),
  stateSync: STATE_SYNC,
  migration: MIGRATION,
  peers: PEERS,
  storage: STORAGE.required(),
  proxy: PROXY,
  service: SERVICE,
  probes: PROBES,
  resources: RESOURCES('What the container of the node may use.'),
  scheduling: SCHEDULING,
  podTemplate: POD_TEMPLATE,
  monitoring: MONITORING,
  networkPolicy: NETWORK_POLICY,
  hibernate: flag('Scaled to zero; the volume stays.').default(false),
  fenced: flag('The process is down, the pod is up to be looked into.').default(false),
  deletionPolicy: choice('Whether the volume and the keys stay when the object is deleted.', [
    'Retain',
    'Delete',
  ]).default('Retain'),
} as const;

const ROLE_RULES = [
  ["self.role == 'rpc' || !self.stateStore.evmSplit", 'stateStore.evmSplit is for role rpc only'],
  [
    '!self.stateStore.evmSplit || has(self.stateSync.trust)',
    'stateStore.evmSplit wants stateSync.trust.rpcServers: the split is filled by state sync',
  ],
  [
    '!self.stateSync.onInit || has(self.stateSync.trust)',
    'stateSync.onInit wants stateSync.trust.rpcServers',
  ],
] as const;

/** Paused, hibernated and fenced are three things; only one can hold. */
const ONE_STATE = '[self.paused, self.hibernate, self.fenced].filter(x, x).size() <= 1';

const COPIED_KEY =
  "self.role != 'validator' || has(self.validatorKey) || !has(self.storage.source) || has(self.storage.source.existingClaim)";

const nodeSpec = group('What the node shall be.', {
  chain: group('Which chain, and who in it.', { ...CHAIN_FIELDS, moniker: MONIKER }).required(),
  ...COMMON_FIELDS,
  nodeKey: NODE_KEY,
  validatorKey: VALIDATOR_KEY,
  paused: flag('The operator leaves everything as it is.').default(false),
});
export const CHAIN_NODE_SPEC = ROLE_RULES.reduce(
  (spec, [rule, message]) => spec.rule(rule, message),
  nodeSpec,
)
  .rule("self.role == 'validator' || !has(self.validatorKey)", 'validatorKey is for role validator only')
  .rule(COPIED_KEY, 'a copied volume has the key of the validator that it is of; name validatorKey')
  .rule(ONE_STATE, 'give at most one of paused, hibernate, fenced')
  .required();

const templateSpec = group('What each node shall be.', {
  chain: group('Which chain.', CHAIN_FIELDS).required(),
  ...COMMON_FIELDS,
});
/** The spec without what belongs to one node. */
export const TEMPLATE_SPEC = ROLE_RULES.reduce(
  (spec, [rule, message]) => spec.rule(rule, message),
  templateSpec,
)
  .rule("self.role != 'validator'", 'a fleet cannot be of validators: each has a key of its own')
  .rule('!(self.hibernate && self.fenced)', 'give at most one of hibernate, fenced')
  .required();

/** As the API server hands it out: all that has a default is there. */
export type ChainNodeSpec = ValueOf<typeof CHAIN_NODE_SPEC>;
export type ChainNodeTemplateSpec = ValueOf<typeof TEMPLATE_SPEC>;
