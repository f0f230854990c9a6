/**
 * What nodes say of themselves: asked over and over, kept until the next answer.
 * Owns: the polling, its pace and its limits. Does not own: which nodes there are, what an answer leads to.
 * Invariants: nobody waits for a node; a node that does not answer costs one call at a time and its time limit.
 */
export { askJsonRpc } from './askJsonRpc.ts';
export { type Comparison, compareAnswers } from './compareAnswers.ts';
export { NodeObserver, type NodeObserverOptions, type Observation } from './nodeObserver.ts';
