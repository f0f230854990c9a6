/**
 * The custom resources: one table of fields gives types, definitions, defaults and docs; names, conditions, reasons.
 * Owns: every field, label, annotation, condition and reason. Does not own: what they lead to, how they are stored.
 * Invariant: what the definition allows is what the types say; nothing here has an effect.
 */
export { apiReference } from './apiReference.ts';
export { fleetSpecOf, type Given, nodeSpecOf, writtenOf } from './applyDefaults.ts';
export type { ChainNodeFleetSpec } from './chainNodeFleetSpec.ts';
export type { ChainNodeFleetStatus } from './chainNodeFleetStatus.ts';
export type { ChainNodeSpec, ChainNodeTemplateSpec } from './chainNodeSpec.ts';
export type { ChainNodeStatus, NodePhase } from './chainNodeStatus.ts';
export { type Condition, type ConditionOf, timestampOf, type Verdict, withConditions } from './condition.ts';
export { CUSTOM_RESOURCES, customResourceDefinition } from './customResources.ts';
export { definitionTexts } from './definitionText.ts';
export type { DisruptionBudgetSpec, DisruptionBudgetStatus } from './disruptionBudget.ts';
export type { JsonObject } from './fieldKinds.ts';
export { FLEET_CONDITIONS } from './fleetConditions.ts';
export { MIGRATION_PHASES } from './migrationTerms.ts';
export {
  ANNOTATIONS,
  API_VERSION,
  BUDGET_KIND,
  FIELD_MANAGERS,
  FINALIZERS,
  FLEET_KIND,
  LABELS,
  NODE_KIND,
} from './names.ts';
export { NODE_CONDITIONS } from './nodeConditions.ts';
export type { ChainDisruptionBudget, ChainNode, ChainNodeFleet, ResourceMetadata } from './objects.ts';
export { msOf } from './span.ts';
export { PEER_PATTERN } from './spec/chainFields.ts';
export type {
  MigrationKind,
  MigrationPhase,
  MigrationReason,
  MigrationStatus,
} from './status/migrationFields.ts';
export { withNulls } from './withNulls.ts';
