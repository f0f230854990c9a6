import { CHAIN_NODE_FLEET_SPEC } from './chainNodeFleetSpec.ts';
import { CHAIN_NODE_FLEET_STATUS } from './chainNodeFleetStatus.ts';
import { CHAIN_NODE_SPEC } from './chainNodeSpec.ts';
import { CHAIN_NODE_STATUS } from './chainNodeStatus.ts';
import { DISRUPTION_BUDGET_SPEC, DISRUPTION_BUDGET_STATUS } from './disruptionBudget.ts';
import type { AnyField } from './field.ts';
import {
  BUDGET_KIND,
  BUDGET_PLURAL,
  FLEET_KIND,
  FLEET_PLURAL,
  GROUP,
  NODE_KIND,
  NODE_PLURAL,
  VERSION,
} from './names.ts';
import type { Rule, Schema } from './schema.ts';

interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date' | 'boolean';
  readonly jsonPath: string;
  readonly priority?: number;
}

/** A kind and all that its definition says of it. */
export interface CustomResource {
  readonly kind: string;
  readonly plural: string;
  readonly shortName: string;
  readonly about: string;
  readonly spec: AnyField;
  readonly status: AnyField;
  readonly rules: readonly Rule[];
  readonly columns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
  readonly scale?: object;
}

// A migration that is held may need another image to go on with.
const FROZEN = `!has(self.status) || !has(self.status.migration)
  || !has(self.status.migration.pastPointOfNoReturn) || !self.status.migration.pastPointOfNoReturn
  || self.status.migration.phase in ['Held', 'Succeeded', 'RolledBack']
  || (self.spec.image == oldSelf.spec.image && self.spec.storage == oldSelf.spec.storage)`;

const condition = (name: string, type: string): PrinterColumn => ({
  name,
  type: 'string',
  jsonPath: `.status.conditions[?(@.type=="${type}")].status`,
});
const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** Services, of all that is called so, take the fewest names. */
const SERVICE_NAME = {
  rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
  message:
    'the name must begin with a letter and have letters, digits and - alone, for a Service has it, too',
};

export const CUSTOM_RESOURCES: readonly CustomResource[] = [
  {
    kind: NODE_KIND,
    plural: NODE_PLURAL,
    shortName: 'cn',
    about: 'A node of a chain, with its volume, its configuration and its rate limiter.',
    spec: CHAIN_NODE_SPEC,
    status: CHAIN_NODE_STATUS,
    rules: [
      { rule: 'size(self.metadata.name) <= 50', message: 'the name must have at most 50 characters' },
      SERVICE_NAME,
      {
        rule: FROZEN.replaceAll(/\s+/g, ' '),
        message: 'image and storage cannot be changed while a migration is past its point of no return',
      },
    ],
    columns: [
      { name: 'Role', type: 'string', jsonPath: '.spec.role' },
      { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      { name: 'Height', type: 'integer', jsonPath: '.status.chain.height' },
      { name: 'Seen', type: 'date', jsonPath: '.status.chain.checkedAt' },
      condition('Synced', 'Synced'),
      { name: 'Split', type: 'boolean', jsonPath: '.status.stateStore.evmSplit' },
      { name: 'Migration', type: 'string', jsonPath: '.status.migration.phase' },
      { name: 'Progress', type: 'integer', jsonPath: '.status.migration.progress.percent' },
      AGE,
      { ...condition('Ready', 'Ready'), priority: 1 },
      { name: 'Image', type: 'string', jsonPath: '.spec.image', priority: 1 },
      { name: 'Message', type: 'string', jsonPath: '.status.migration.message', priority: 1 },
    ],
    selectableFields: ['.spec.chain.id', '.spec.role'],
  },
  {
    kind: FLEET_KIND,
    plural: FLEET_PLURAL,
    shortName: 'cnf',
    about: 'Nodes of one template behind one Service, changed without an interruption.',
    spec: CHAIN_NODE_FLEET_SPEC,
    status: CHAIN_NODE_FLEET_STATUS,
    rules: [
      { rule: 'size(self.metadata.name) <= 40', message: 'the name must have at most 40 characters' },
      SERVICE_NAME,
    ],
    columns: [
      { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
      { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
      { name: 'Synced', type: 'integer', jsonPath: '.status.syncedReplicas' },
      { name: 'Updated', type: 'integer', jsonPath: '.status.updatedReplicas' },
      { name: 'Split', type: 'integer', jsonPath: '.status.splitReplicas' },
      { name: 'Rollout', type: 'string', jsonPath: '.status.rollout.phase' },
      { name: 'Height', type: 'integer', jsonPath: '.status.heights.min' },
      AGE,
      { name: 'BlockedBy', type: 'string', jsonPath: '.status.rollout.blockedBy', priority: 1 },
    ],
    selectableFields: ['.spec.template.spec.chain.id'],
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  {
    kind: BUDGET_KIND,
    plural: BUDGET_PLURAL,
    shortName: 'cdb',
    about: 'How many nodes may be away at once, over several fleets and nodes of no fleet.',
    spec: DISRUPTION_BUDGET_SPEC,
    status: DISRUPTION_BUDGET_STATUS,
    rules: [{ rule: 'size(self.metadata.name) <= 50', message: 'the name must have at most 50 characters' }],
    columns: [
      { name: 'Nodes', type: 'integer', jsonPath: '.status.expected' },
      { name: 'Floor', type: 'integer', jsonPath: '.status.floor' },
      { name: 'Serving', type: 'integer', jsonPath: '.status.serving' },
      { name: 'Disrupted', type: 'string', jsonPath: '.status.disrupted[*].node' },
      { name: 'Asked', type: 'date', jsonPath: '.status.checkedAt' },
      AGE,
    ],
    selectableFields: [],
  },
];

/** The CustomResourceDefinition of a kind. */
export function customResourceDefinition(resource: CustomResource): object {
  const { kind, plural, shortName, scale } = resource;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}`, labels: { 'app.kubernetes.io/part-of': 'chain-operator' } },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames: [shortName],
        categories: ['chain'],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: rootSchema(resource) },
          subresources: { status: {}, ...(scale && { scale }) },
          additionalPrinterColumns: resource.columns,
          ...(resource.selectableFields.length > 0 && {
            selectableFields: resource.selectableFields.map((jsonPath) => ({ jsonPath })),
          }),
        },
      ],
    },
  };
}

function rootSchema({ about, spec, status, rules }: CustomResource): Schema {
  return {
    type: 'object',
    description: about,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: spec.schema,
      status: status.schema,
    },
    'x-kubernetes-validations': rules,
  };
}
