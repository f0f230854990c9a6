import { DEVELOPMENT_METHODS } from './development/developmentTable.ts';
import { METHODS } from './methods.ts';

/** What stands before a method's first underscore. */
export function namespaceOf(method: string): string {
  return method.slice(0, method.indexOf('_'));
}

/** Of all methods, those of development homes included. */
export const NAMESPACES: readonly string[] = [
  ...new Set([...METHODS, ...DEVELOPMENT_METHODS].map(({ name }) => namespaceOf(name))),
].sort();
