/** What ChainNode and fleet ask for of an RPC node in the samples' network, which trusts these two. */
export function rpcSpec(rpcServers: readonly string[]) {
  const selector = { matchLabels: { 'chain.dev/chain': 'chain-test-1', 'chain.dev/role': 'validator' } };
  return {
    chain: { id: 'chain-test-1', genesis: { configMapRef: { name: 'chain-genesis' } } },
    image: 'localhost/chain-node:6.5.0',
    stateSync: { trust: { rpcServers, heightDelta: 20 } },
    peers: { selector },
    storage: { size: '5Gi', takeOwnership: true },
    // Times for a chain that is a few minutes old.
    migration: {
      verify: { minBlocks: 3, stableFor: '3s' },
      retry: { backoffMin: '1s', backoffMax: '1s' },
    },
    resources: { requests: { cpu: '50m', memory: '256Mi' }, limits: { memory: '2Gi' } },
  };
}
