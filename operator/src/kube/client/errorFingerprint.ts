/** A message without what differs from one time to the next: versions, ports, ids. */
export function errorFingerprint(message: string): string {
  return message.replaceAll(/[0-9a-f]*\d[0-9a-f]*/gi, '0');
}
