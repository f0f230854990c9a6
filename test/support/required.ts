/**
 * Whether a suite must be left out because the machine lacks something: says so in one line. Where everything is
 * required (`.ci/run` sets TEST_REQUIRE_ALL) it fails instead, so that no suite is left out unseen.
 */
export function leftOut(suite: string, missing: string | undefined): boolean {
  if (missing === undefined) return false;
  if (process.env.TEST_REQUIRE_ALL) throw new RangeError(`${suite}: ${missing}, and TEST_REQUIRE_ALL is set`);
  process.stdout.write(`${suite} is left out: ${missing}\n`);
  return true;
}
