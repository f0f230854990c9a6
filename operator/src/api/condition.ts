/** An entry of `status.conditions`. */
export interface Condition<Type extends string = string, Reason extends string = string> {
  readonly type: Type;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: Reason;
  readonly message: string;
  readonly observedGeneration: number;
  /** RFC 3339, seconds: when `status` last changed. */
  readonly lastTransitionTime: string;
}

/** Types of conditions with the reasons that each may have. A reason is a promise: alerts and scripts match it. */
export type ConditionTable = Readonly<
  Record<string, { readonly about: string; readonly reasons: Readonly<Record<string, string>> }>
>;

/** What a condition shall say; times and generations are added by `withConditions`. */
export type Verdict<Table extends ConditionTable> = {
  [Type in keyof Table & string]: {
    readonly type: Type;
    readonly status: Condition['status'];
    readonly reason: keyof Table[Type]['reasons'] & string;
    readonly message: string;
  };
}[keyof Table & string];

export type ConditionOf<Table extends ConditionTable> = {
  [Type in keyof Table & string]: Condition<Type, keyof Table[Type]['reasons'] & string>;
}[keyof Table & string];

/** The longest message that the API server takes. */
const MESSAGE_LENGTH = 4096;

/**
 * The list with these verdicts in it, in their order, and without those of `without`. What is not named stays.
 * `lastTransitionTime` moves only with `status`, so an unchanged verdict gives an equal list.
 */
export function withConditions<Table extends ConditionTable>(
  before: readonly ConditionOf<Table>[],
  verdicts: readonly Verdict<Table>[],
  {
    generation,
    nowMs,
    without = [],
  }: { readonly generation: number; readonly nowMs: number; readonly without?: readonly string[] },
): readonly ConditionOf<Table>[] {
  const kept = before.filter(({ type }) => !without.includes(type));
  const found = new Map<string, Condition>(kept.map((condition) => [condition.type, condition]));
  for (const { type, status, reason, message } of verdicts) {
    const old = found.get(type);
    found.set(type, {
      type,
      status,
      reason,
      message: message.slice(0, MESSAGE_LENGTH),
      observedGeneration: generation,
      lastTransitionTime: old?.status === status ? old.lastTransitionTime : timestampOf(nowMs),
    });
  }
  return [...found.values()] as unknown as readonly ConditionOf<Table>[];
}

/** RFC 3339 without fractions, as Kubernetes writes times. */
export function timestampOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
