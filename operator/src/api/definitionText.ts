import { stringify } from 'yaml';
import { CUSTOM_RESOURCES, customResourceDefinition } from './customResources.ts';

/** The definition of each kind as YAML, by the plural of its name. */
export function definitionTexts(): ReadonlyMap<string, string> {
  return new Map(
    CUSTOM_RESOURCES.map((resource) => [
      resource.plural,
      stringify(customResourceDefinition(resource), { lineWidth: 110, aliasDuplicateObjects: false }),
    ]),
  );
}
