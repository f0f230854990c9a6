import { CrashBoundary } from '@chain/platform';
import {
  type Metadata as GrpcMetadata,
  Metadata,
  type Server,
  type ServerUnaryCall,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HEIGHT_HEADER, parseHeight, queryStatus, STATUS, type StatusName } from '../ledgerQuery/index.ts';
import type { GrpcDeps, GrpcLimits } from './grpcOptions.ts';

type Call = ServerUnaryCall<Buffer, Uint8Array>;
type Limits = Pick<GrpcLimits, 'calls' | 'callTimeoutMs'>;

/** Messages stay bytes: the query service has the codecs. */
const asBytes = {
  serialize: (bytes: Uint8Array) => Buffer.from(bytes),
  deserialize: (bytes: Buffer) => bytes,
};

/** Adds every service that has an answered method; returns their names. */
export function addQueryServices(server: Server, limits: Limits, deps: GrpcDeps): string[] {
  const answered = new Set(deps.queries.paths);
  const handle = unaryHandler(limits, deps);
  const services = new Set(
    deps.schema.methods.filter(({ path }) => answered.has(path)).map((it) => it.service),
  );
  for (const service of services) {
    const methods = deps.schema.methods.filter(
      (method) => method.service === service && answered.has(method.path),
    );
    server.addService(
      Object.fromEntries(
        methods.map(({ name, path }) => [
          name,
          {
            path,
            requestStream: false,
            responseStream: false,
            requestSerialize: asBytes.serialize,
            requestDeserialize: asBytes.deserialize,
            responseSerialize: asBytes.serialize,
            responseDeserialize: asBytes.deserialize,
          },
        ]),
      ),
      Object.fromEntries(
        methods.map(({ name, path }) => [name, handle(path)]),
      ) as UntypedServiceImplementation,
    );
  }
  return [...services];
}

function unaryHandler({ calls, callTimeoutMs }: Limits, { queries, logger, metrics }: GrpcDeps) {
  const boundary = new CrashBoundary({ name: 'grpc' }, { logger, metrics });
  const counter = metrics?.counter({
    name: 'chain_grpc_calls_total',
    help: 'gRPC calls by method and status',
    labels: ['method', 'status'],
  });
  let running = 0;
  const answer = async (path: string, call: Call, signal: AbortSignal) =>
    queries.answer(path, call.request, { height: parseHeight(headerOf(call.metadata)), signal });
  const handle = (path: string, call: Call, done: sendUnaryData<Uint8Array>): void | Promise<void> => {
    const finish = (status: StatusName, message: string): void => {
      counter?.add(1, { method: path, status });
      done({ code: STATUS[status], details: message });
    };
    if (running >= calls) {
      finish('RESOURCE_EXHAUSTED', `the node answers ${calls} calls at once; try again`);
      return;
    }
    running++;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort('timeout'), callTimeoutMs);
    call.once('cancelled', () => controller.abort('cancelled'));
    return answer(path, call, controller.signal)
      .then(
        ({ height, bytes }) => {
          const metadata = new Metadata();
          metadata.set(HEIGHT_HEADER, String(height));
          call.sendMetadata(metadata);
          counter?.add(1, { method: path, status: 'OK' });
          done(null, bytes);
        },
        (error: unknown) => {
          const status = queryStatus(error);
          if (status.name === 'INTERNAL') boundary.report(error, { path });
          finish(status.name, status.message);
        },
      )
      .finally(() => {
        clearTimeout(timer);
        running--;
      });
  };
  const failed = (_path: string, _call: Call, done: sendUnaryData<Uint8Array>): void =>
    done({ code: STATUS.INTERNAL, details: 'internal error' });
  const guarded = boundary.guard(handle, failed);
  return (path: string) => (call: Call, done: sendUnaryData<Uint8Array>) => guarded(path, call, done);
}

function headerOf(metadata: GrpcMetadata): string | undefined {
  return metadata.get(HEIGHT_HEADER)[0]?.toString();
}
