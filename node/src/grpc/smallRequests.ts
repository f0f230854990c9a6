import type { ServiceDefinition } from '@grpc/grpc-js';

/** More than the longest name that reflection and health are asked for. */
const MAX_BYTES = 4096;

/**
 * A service whose requests are names: calls that stay open, or whose answers nobody reads, hold theirs, so a larger
 * one is an error of its call.
 */
export function smallRequests(service: ServiceDefinition): ServiceDefinition {
  return Object.fromEntries(
    Object.entries(service).map(([name, method]) => {
      const requestDeserialize = (bytes: Buffer): unknown => {
        if (bytes.length > MAX_BYTES)
          throw new RangeError(`a request of ${bytes.length} bytes; ${MAX_BYTES} at most`);
        return method.requestDeserialize(bytes);
      };
      return [name, { ...method, requestDeserialize }];
    }),
  );
}
