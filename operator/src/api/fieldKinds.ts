import { Field, type Fields, type FieldsOf } from './field.ts';
import type { Schema } from './schema.ts';

/** Plain JSON of which the operator knows no more. */
export type JsonObject = { readonly [name: string]: unknown };

// Every list, map and text has a bound: without one the API server refuses the rules of the whole definition as too
// costly to run.
const TEXT_LENGTH = 1024;
const LIST_ITEMS = 64;

interface TextLimits {
  readonly max?: number;
  readonly min?: number;
  readonly pattern?: string;
}

export function text(about: string, { max = TEXT_LENGTH, min, pattern }: TextLimits = {}): Field<string> {
  const limits = { ...(min !== undefined && { minLength: min }), ...(pattern !== undefined && { pattern }) };
  return new Field({ type: 'string', description: about, maxLength: max, ...limits }, 'optional');
}

export function choice<const V extends string>(about: string, values: readonly V[]): Field<V> {
  return new Field({ type: 'string', description: about, enum: values }, 'optional');
}

export function flag(about: string): Field<boolean> {
  return new Field({ type: 'boolean', description: about }, 'optional');
}

interface NumberLimits {
  readonly min?: number;
  readonly max?: number;
}

export function whole(about: string, { min = 0, max }: NumberLimits = {}): Field<number> {
  const limits = max === undefined ? {} : { maximum: max };
  return new Field(
    { type: 'integer', format: 'int64', description: about, minimum: min, ...limits },
    'optional',
  );
}

/** A size of a volume such as `2Ti`. */
export function quantity(about: string): Field<string> {
  const field = text(about, { max: 32, min: 1 });
  return field.rule(
    "isQuantity(self) && quantity(self).compareTo(quantity('1Mi')) >= 0",
    'is no size of a volume; write one of at least 1Mi, such as 500Gi or 2Ti',
  );
}

/** What a container uses of a resource: a number or a quantity. */
export function amount(
  about: string,
  { allowZero }: { readonly allowZero: boolean },
): Field<number | string> {
  const compared = allowZero ? '>= 0' : '> 0';
  return new Field<number | string>(
    {
      description: about,
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-validations': [
        {
          rule: `type(self) == int ? self ${compared} : isQuantity(self) && quantity(self).compareTo(quantity('0')) ${compared}`,
          message: `is no quantity${allowZero ? '' : ' above zero'}; write one such as 500m or 4Gi`,
        },
      ],
      maxLength: 32,
    },
    'optional',
  );
}

/** Of an object that Kubernetes has: a DNS name. */
export function objectName(about: string): Field<string> {
  const part = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
  return text(about, { max: 253, min: 1, pattern: `^${part}(\\.${part})*$` });
}

/** Of an entry of a ConfigMap or a Secret. */
export function dataKey(about: string): Field<string> {
  return text(about, { max: 253, min: 1, pattern: '^[-._a-zA-Z0-9]+$' });
}

/** A time span as Go writes it: `30s`, `1h30m`. At most a century, so that no program overflows. */
export function span(about: string): Field<string> {
  return text(about, {
    max: 32,
    min: 2,
    pattern: '^([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s)|[0-9]{1,6}(\\.[0-9]{1,9})?(m|h))+$',
  });
}

/** One that is longer than nothing: a limit of `0s` would be over before it begins. */
export function someSpan(about: string): Field<string> {
  return span(about).rule("self.matches('[1-9]')", 'must be longer than nothing, such as 30s');
}

/** RFC 3339, seconds. */
export function timestamp(about: string): Field<string> {
  return new Field({ type: 'string', format: 'date-time', description: about }, 'optional');
}

/** `1` or `25%`. */
export function countOrPercent(about: string): Field<number | string> {
  return new Field<number | string>(
    {
      description: about,
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-validations': [
        {
          rule: "type(self) == int ? self >= 0 : self.matches('^[0-9]{1,3}%$')",
          message: 'is neither a count nor a percentage such as 25%',
        },
      ],
      maxLength: 16,
    },
    'optional',
  );
}

/** An object of Kubernetes' own, handed on as it is. */
export function verbatim(about: string): Field<JsonObject> {
  return new Field(
    { type: 'object', description: about, 'x-kubernetes-preserve-unknown-fields': true },
    'optional',
  );
}

/** Objects of Kubernetes' own that have a name. */
export function namedVerbatim(about: string): Field<JsonObject & { readonly name: string }> {
  return new Field(
    {
      type: 'object',
      description: about,
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 253, minLength: 1 } },
      'x-kubernetes-preserve-unknown-fields': true,
    },
    'optional',
  );
}

export function group<const F extends Fields>(about: string, fields: F): Field<FieldsOf<F>> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.presence === 'required').map(([name]) => name);
  return new Field<FieldsOf<F>>(
    {
      type: 'object',
      description: about,
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
    },
    'optional',
  );
}

/** A group of which exactly one member is given. */
export function oneOf<const F extends Fields>(about: string, fields: F): Field<FieldsOf<F>> {
  const names = Object.keys(fields);
  const given = names.map((name) => `has(self.${name})`).join(', ');
  return group(about, fields).rule(
    `[${given}].filter(x, x).size() == 1`,
    `give exactly one of ${names.join(', ')}`,
  );
}

interface ListLimits {
  readonly max?: number;
  readonly min?: number;
  /** `set`: no item twice; else the keys by which items are told apart. Left out, the list is one value. */
  readonly by?: 'set' | readonly string[];
}

export function list<T>(about: string, item: Field<T>, limits: ListLimits = {}): Field<readonly T[]> {
  const { max = LIST_ITEMS, min, by } = limits;
  return new Field<readonly T[]>(
    {
      type: 'array',
      description: about,
      items: item.schema,
      maxItems: max,
      ...(min !== undefined && { minItems: min }),
      ...listType(by),
    },
    'optional',
  );
}

function listType(by: ListLimits['by']): Schema {
  if (by === undefined) return { 'x-kubernetes-list-type': 'atomic' };
  if (by === 'set') return { 'x-kubernetes-list-type': 'set' };
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': by };
}

export function mapOf<T>(
  about: string,
  item: Field<T>,
  max = LIST_ITEMS,
): Field<Readonly<Record<string, T>>> {
  return new Field<Readonly<Record<string, T>>>(
    { type: 'object', description: about, additionalProperties: item.schema, maxProperties: max },
    'optional',
  );
}
