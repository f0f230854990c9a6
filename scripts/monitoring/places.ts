/** Where operator and runbooks are when nobody says otherwise; charts put their own values in the place of these. */
export const OPERATOR_NAMESPACE = 'chain-system';
export const RUNBOOKS = 'https://chain.dev/docs/runbooks';
