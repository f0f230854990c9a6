import type { QueryCommand } from './queryCommand.ts';

const SERVICE = 'cosmos.evidence.v1beta1.Query';

interface Equivocation {
  readonly consensus_address: string;
  readonly height: string;
  readonly power: string;
  readonly time: string;
}

const shown = (evidence: readonly Equivocation[]) => ({
  columns: ['CONSENSUS ADDRESS', 'HEIGHT', 'POWER', 'TIME'],
  rows: evidence.map(({ consensus_address, height, power, time }) => [
    consensus_address,
    height,
    power,
    time,
  ]),
  none: 'nobody has signed twice',
});

export const EVIDENCE_QUERIES: readonly QueryCommand[] = [
  {
    usage: 'list',
    about: 'double signs that were punished',
    paged: true,
    method: `${SERVICE}/AllEvidence`,
    show: ({ evidence }: { evidence: Equivocation[] }) => shown(evidence),
  },
  {
    usage: 'evidence <hash>',
    about: 'one double sign',
    method: `${SERVICE}/Evidence`,
    parameters: ([hash]) => ({ hash }),
    show: ({ evidence }: { evidence: Equivocation }) => shown([evidence]),
  },
];
