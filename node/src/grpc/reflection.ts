import { CrashBoundary } from '@chain/platform';
import type { Server, ServerDuplexStream, UntypedServiceImplementation } from '@grpc/grpc-js';
import type { ProtoSchema } from '../proto/index.ts';
import type { GrpcDeps } from './grpcOptions.ts';
import {
  decodeRequest,
  encodeResponse,
  type ReflectionAnswer,
  type ReflectionRequest,
} from './reflectionMessages.ts';
import { smallRequests } from './smallRequests.ts';

/** Both generations of the service, which differ in their package only. */
const PACKAGES = ['grpc.reflection.v1', 'grpc.reflection.v1alpha'];
const HEALTH = 'grpc.health.v1.Health';
const NOT_FOUND = 5;
const INVALID_ARGUMENT = 3;

/** Adds server reflection over the services that are answered; returns the names of what it added. */
export function addReflection(
  server: Server,
  { schema, logger, metrics }: GrpcDeps,
  services: readonly string[],
): string[] {
  const boundary = new CrashBoundary({ name: 'grpc' }, { logger, metrics });
  const own = PACKAGES.map((name) => `${name}.ServerReflection`);
  const listed = [...services, HEALTH, ...own].sort();
  const answer = (request: ReflectionRequest): ReflectionAnswer => answerTo(request, schema, listed);
  for (const service of own) {
    server.addService(
      smallRequests({
        ServerReflectionInfo: {
          path: `/${service}/ServerReflectionInfo`,
          requestStream: true,
          responseStream: true,
          requestSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
          requestDeserialize: (bytes: Buffer) => bytes,
          responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
          responseDeserialize: (bytes: Buffer) => bytes,
        },
      }),
      {
        ServerReflectionInfo: (call: ServerDuplexStream<Buffer, Uint8Array>) => {
          const tell = (bytes: Buffer): void => {
            const written = call.write(respond(bytes, answer));
            if (written) return;
            // A client that asks without reading waits for its answers.
            call.pause();
            call.once('drain', () => call.resume());
          };
          call.on(
            'data',
            boundary.guard(tell, () => call.destroy()),
          );
          call.on('end', () => call.end());
        },
      } as UntypedServiceImplementation,
    );
  }
  return own;
}

function respond(bytes: Uint8Array, answer: (request: ReflectionRequest) => ReflectionAnswer): Uint8Array {
  const request = decodeRequest(bytes);
  return encodeResponse(bytes, request, answer(request));
}

function answerTo(
  request: ReflectionRequest,
  schema: ProtoSchema,
  services: readonly string[],
): ReflectionAnswer {
  switch (request.kind) {
    case 'services':
      return { services };
    case 'file':
      return filesOr(schema.fileByName(request.text), request.text);
    case 'symbol':
      return filesOr(schema.fileBySymbol(request.text), request.text);
    case 'extension':
      return filesOr(
        schema.fileByExtension(request.text, request.number),
        `${request.text} ${request.number}`,
      );
    case 'extensionNumbers': {
      const numbers = schema.extensionNumbers(request.text);
      return numbers
        ? { typeName: request.text, numbers }
        : { code: NOT_FOUND, message: `not found: ${request.text}` };
    }
    case 'unknown':
      return { code: INVALID_ARGUMENT, message: 'not a request of server reflection' };
  }
}

function filesOr(files: readonly Uint8Array[] | undefined, name: string): ReflectionAnswer {
  return files ? { files } : { code: NOT_FOUND, message: `not found: ${name.slice(0, 200)}` };
}
