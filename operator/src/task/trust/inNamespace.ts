/** A name without dots is a Service beside the node, as the node itself takes it; the operator is elsewhere. */
export function inNamespace(url: string, namespace: string): string {
  const parsed = new URL(url);
  const isShort = !/[.:]/.test(parsed.hostname) && parsed.hostname !== 'localhost';
  if (isShort) parsed.hostname = `${parsed.hostname}.${namespace}.svc`;
  return isShort ? parsed.href.replace(/\/$/, '') : url;
}
