/** Default TCP ports (spec N-1). */
export const PORTS = {
  p2p: 26656,
  consensusRpc: 26657,
  grpc: 9090,
  rest: 1317,
  jsonRpcHttp: 8545,
  jsonRpcWebSocket: 8546,
  nodeAdmin: 26661,
  limiterAdmin: 9101,
  consensusRpcBehindLimiter: 26667,
} as const;
