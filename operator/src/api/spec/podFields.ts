import {
  amount,
  choice,
  flag,
  group,
  list,
  mapOf,
  namedVerbatim,
  objectName,
  someSpan,
  span,
  text,
  verbatim,
  whole,
} from '../fieldKinds.ts';

const RESERVED_CONTAINERS = "['node', 'rate-limiter', 'home']";
const RESERVED_VOLUMES = "['data', 'tmp', 'config', 'genesis', 'keys', 'limiter', 'sign-floor']";

export const IMAGE = (about: string) => text(about, { max: 512, min: 1, pattern: '^\\S+$' });

const KNOWN_RESOURCES =
  "self.all(k, k in ['cpu', 'memory', 'ephemeral-storage'] || k.startsWith('hugepages-') || k.contains('/'))";

/** Sizes by resource name; numbers and text. */
const amounts = (about: string, allowZero: boolean) =>
  mapOf(about, amount('', { allowZero }), 8).rule(
    KNOWN_RESOURCES,
    'the resources of a container are cpu, memory, ephemeral-storage, hugepages-…, and those of vendors, with a slash',
  );

export const RESOURCES = (about: string) =>
  group(about, {
    requests: amounts('What it is promised.', true),
    limits: amounts('What it never exceeds.', false),
  });

const containers = (about: string) =>
  list(about, namedVerbatim('A Container.'), { max: 16 }).rule(
    `self.all(c, !(c.name in ${RESERVED_CONTAINERS}))`,
    `the names ${RESERVED_CONTAINERS} are the operator's`,
  );

export const PULL = {
  imagePullPolicy: choice('When the image is pulled.', ['Always', 'IfNotPresent', 'Never']).default(
    'IfNotPresent',
  ),
  imagePullSecrets: list(
    'Secrets for the registry.',
    group('A Secret.', { name: objectName('Its name.').required() }),
    { max: 16 },
  ),
} as const;

export const PROBES = group('When the node counts as started, ready and alive.', {
  startupTimeout: someSpan(
    'Time to open its state; a large one takes minutes after an unclean stop.',
  ).default('30m'),
  maxBlockAge: span('Age of the newest block above which it is not ready; 0s is never.').default('60s'),
  liveness: group('It is restarted when it does not answer.', {
    enabled: flag('It is.').default(true),
    failureThreshold: whole('Failures in a row.', { min: 1, max: 1000 }).default(6),
  }).default({}),
}).default({});

export const SCHEDULING = group('Where the pod runs.', {
  nodeSelector: mapOf('Labels that the machine must have.', text('', { max: 63 })),
  affinity: verbatim('An Affinity; nodes of one fleet keep apart when left out.'),
  tolerations: list('Tolerations.', verbatim('A Toleration.')),
  topologySpreadConstraints: list('How pods are spread.', verbatim('A TopologySpreadConstraint.'), {
    max: 16,
  }),
  priorityClassName: objectName('A PriorityClass.'),
  runtimeClassName: objectName('A RuntimeClass.'),
}).default({});

export const POD_TEMPLATE = group('What else the pod has. Names that the operator uses are refused.', {
  labels: mapOf('Labels of the pod.', text('', { max: 63 })),
  annotations: mapOf('Annotations of the pod.', text('', { max: 4096 })),
  serviceAccountName: objectName('Its ServiceAccount; one of its own without rights when left out.'),
  terminationGracePeriod: span('Time to stop.').default('2m'),
  securityContext: verbatim('A PodSecurityContext.'),
  containerSecurityContext: verbatim('A SecurityContext, of the containers of the operator.'),
  extraEnv: list('More environment variables of the node.', namedVerbatim('An EnvVar.')),
  extraVolumes: list('More volumes.', namedVerbatim('A Volume.'), { max: 32 }).rule(
    `self.all(v, !(v.name in ${RESERVED_VOLUMES}))`,
    `the names ${RESERVED_VOLUMES} are the operator's`,
  ),
  extraVolumeMounts: list('More mounts of the node.', namedVerbatim('A VolumeMount.'), { max: 32 }),
  extraContainers: containers('More containers.'),
  extraInitContainers: containers('More init containers, before those of the operator.'),
}).default({});
