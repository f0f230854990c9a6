/** `target.push(...items)` for lists of any length: arguments lie on the stack, and how many fit depends on the process. */
export function appendAll<T>(target: T[], items: Iterable<T>): void {
  for (const item of items) target.push(item);
}
