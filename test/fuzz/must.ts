import assert from 'node:assert';

/** A rule that everything must keep that a decoder takes. */
export function must(rule: string, holds: boolean): void {
  assert.ok(holds, `what is taken ${rule}`);
}
