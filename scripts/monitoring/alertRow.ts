/** One alert: when it fires, how long that must be so, how bad it is, and what a person should know and do. */
export type AlertRow = readonly [
  name: string,
  expression: string,
  lasting: string,
  severity: 'warning' | 'critical',
  description: string,
];

/** That a counter has grown, from its first case on: one that appears with its first case has nothing to grow from. */
export const grew = (counter: string, within: string): string =>
  `increase(${counter}[${within}]) > 0 or (${counter} unless ${counter} offset ${within}) > 0`;
