import { CodedError } from '@chain/platform';
import type { NodeReport } from '@chain/platform/contract';

/** Throws OBSERVE_REPORT for what is none: an older release, or another program. */
export function parseReport(answer: unknown, origin: string): NodeReport {
  const report = answer as Partial<NodeReport> | null;
  const whole =
    typeof report === 'object' &&
    report !== null &&
    ['release', 'chainId', 'nodeId', 'mode', 'backend', 'stage', 'startedAt'].every(
      (name) => typeof report[name as keyof NodeReport] === 'string',
    ) &&
    Number.isSafeInteger(report.height) &&
    typeof report.evmSplit === 'boolean';
  if (whole) return report as NodeReport;
  throw new CodedError(
    'OBSERVE_REPORT',
    `${origin} answers with something else than a report; is it chaind 6.5 or newer?`,
    {
      fields: { origin },
    },
  );
}
