import { CodedError } from '@chain/platform';

/** Faults of a spec that rendering finds; each says what to write instead. */
export const resourceErrors = {
  reservedKey: (file: string, key: string, remedy: string) =>
    new CodedError('RESOURCES_RESERVED_KEY', `${file}: ${key} is set by the operator; ${remedy}`, {
      fields: { file, key },
    }),
  reservedName: (what: string, name: string, remedy: string) =>
    new CodedError('RESOURCES_RESERVED_NAME', `${what} "${name}" is the operator's own; ${remedy}`, {
      fields: { what, name },
    }),
  nameTaken: (kind: string, name: string, holder = 'nobody that the operator knows') =>
    new CodedError(
      'RESOURCES_NAME_TAKEN',
      `${kind} "${name}" is there and belongs to ${holder}; make this resource anew with another name, or delete the ${kind} if nobody needs it`,
      { fields: { kind, name } },
    ),
  badToml: (field: string, cause: unknown, why: string) =>
    new CodedError('RESOURCES_TOML', `${field}: ${why}`, { fields: { field }, cause }),
  /** `why` is a constant: nothing of what a Secret holds is told. */
  badKey: (source: string, why: string) =>
    new CodedError('RESOURCES_KEY', `${source} holds no key: ${why}`, { fields: { source } }),
} as const;
