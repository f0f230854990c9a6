import type { Rule, Schema } from './schema.ts';

/** Whether a field can be missing in what the API server hands out. */
type Presence = 'required' | 'defaulted' | 'optional';

/** One field of a custom resource: its schema, and by `T` what it reads as in code. */
export class Field<T, P extends Presence = 'optional'> {
  readonly schema: Schema;
  readonly presence: P;
  /** For the compiler alone. */
  declare readonly value: T;

  constructor(schema: Schema, presence: P) {
    this.schema = schema;
    this.presence = presence;
  }

  required(): Field<T, 'required'> {
    return new Field(this.schema, 'required');
  }

  /** Of a group: `{}`, so that the defaults within it hold where the group is left out. */
  default(value: T | Record<string, never>): Field<T, 'defaulted'> {
    return new Field({ ...this.schema, default: value }, 'defaulted');
  }

  /** A CEL rule. In rules with `oldSelf`, only a field that cannot be removed is locked. */
  rule(rule: string, message: string): Field<T, P> {
    const rules: readonly Rule[] = [...(this.schema['x-kubernetes-validations'] ?? []), { rule, message }];
    return new Field({ ...this.schema, 'x-kubernetes-validations': rules }, this.presence);
  }

  /** Never changes once it is there. */
  immutable(this: Field<T, 'required' | 'defaulted'>, name: string): Field<T, P> {
    return (this as Field<T, P>).rule('self == oldSelf', `${name} cannot be changed`);
  }
}

export type AnyField = Field<unknown, Presence>;
export type Fields = Readonly<Record<string, AnyField>>;
export type ValueOf<F> = F extends Field<infer T, Presence> ? T : never;

type OptionalKeys<F> = { [K in keyof F]: F[K] extends Field<unknown, 'optional'> ? K : never }[keyof F];

/** A group as the API server hands it out: what has a default is there. */
export type FieldsOf<F> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: ValueOf<F[K]>;
} & { readonly [K in OptionalKeys<F>]?: ValueOf<F[K]> };
