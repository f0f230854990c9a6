import { CodedError, isCodedError } from '@chain/platform';

/** FLATKV_DAMAGED for DB_DAMAGED, anything else as it is: all that is here follows from SC, nothing has to be restored. */
export function namedDamage(directory: string, error: unknown): unknown {
  if (!isCodedError(error, 'DB_DAMAGED')) return error;
  const what = error.message.split(';')[0];
  return new CodedError(
    'FLATKV_DAMAGED',
    `FlatKV is damaged: ${what}; remove "${directory}", the next start rebuilds it`,
    { fields: { directory }, cause: error },
  );
}
