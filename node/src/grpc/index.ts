/**
 * The gRPC listener: the query services, server reflection (v1 and v1alpha) and health.
 * Owns: @grpc/grpc-js, its limits, the mapping of query errors to gRPC status.
 * Does not own: what a method answers (ledgerQuery), the protobuf files (proto).
 * Invariant: every call ends with a status, and within its time.
 */
export type { GrpcDeps, GrpcOptions } from './grpcOptions.ts';
export { type GrpcServer, openGrpcServer } from './openGrpcServer.ts';
