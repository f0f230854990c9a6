import type { MetricsRegistry } from '@chain/platform/metrics';

export interface WebSocketMetrics {
  opened(): void;
  closed(code: number): void;
  pushed(): void;
}

export function webSocketMetrics(registry: MetricsRegistry | undefined): WebSocketMetrics {
  const open = registry?.gauge({
    name: 'chain_rpc_websocket_connections_count',
    help: 'Open WebSocket connections.',
  });
  const closed = registry?.counter({
    name: 'chain_rpc_websocket_closed_total',
    help: 'WebSocket connections that ended, by close code: 1009 too large a message, 1013 a slow consumer.',
    labels: ['code'],
  });
  const pushed = registry
    ?.counter({ name: 'chain_rpc_notifications_total', help: 'Notifications pushed to subscribers.' })
    .bind({});
  let count = 0;
  return {
    opened: () => open?.set(++count),
    closed: (code) => {
      open?.set(--count);
      closed?.add(1, { code });
    },
    pushed: () => pushed?.(1),
  };
}
