/** The longest that the event loop was held in one turn while `work` ran, in milliseconds of this thread's processor time. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = threadCpuUs();
  let isOver = false;
  const look = (): void => {
    const now = threadCpuUs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
  } finally {
    isOver = true;
  }
  return longest / 1000;
}

function threadCpuUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
