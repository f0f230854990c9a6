import type { CometMethod } from './cometMethod.ts';
import { applicationMethods } from './methods/applicationMethods.ts';
import { blockMethods } from './methods/blockMethods.ts';
import { broadcastMethods, unsafeMethods } from './methods/broadcastMethods.ts';
import { consensusMethods } from './methods/consensusMethods.ts';
import { nodeMethods } from './methods/nodeMethods.ts';
import { searchMethods } from './methods/searchMethods.ts';
import { subscriptionMethods } from './methods/subscriptionMethods.ts';

/** Every method that is always served, by group; parsing, the page of endpoints and the reference follow from it. */
export const COMET_METHODS: readonly CometMethod[] = [
  ...nodeMethods,
  ...blockMethods,
  ...consensusMethods,
  ...searchMethods,
  ...broadcastMethods,
  ...applicationMethods,
  ...subscriptionMethods,
];

/** Those that `unsafe = true` adds. */
export const UNSAFE_METHODS: readonly CometMethod[] = unsafeMethods;
