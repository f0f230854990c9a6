/** The kubelet's reasons are codes, in families: ErrImagePull, InvalidImageName, CreateContainerError, CrashLoopBackOff. */
const FAILURES = /Err|Invalid|BackOff/;

/** Whether a container that waits for this reason does so because something has failed. */
export const isFailedWait = (reason: string | undefined): reason is string =>
  reason !== undefined && FAILURES.test(reason);
