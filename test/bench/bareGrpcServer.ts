import { Server, ServerCredentials } from '@grpc/grpc-js';

/** Runs as a process of its own: answers one method with the bytes that its parent gave, whatever was asked. */
process.once('message', ({ path, answer }: { readonly path: string; readonly answer: string }) => {
  const bytes = Buffer.from(answer, 'base64');
  const asIs = (given: Buffer): Buffer => given;
  const server = new Server();
  server.addService(
    {
      call: {
        path,
        requestStream: false,
        responseStream: false,
        requestSerialize: asIs,
        requestDeserialize: asIs,
        responseSerialize: asIs,
        responseDeserialize: asIs,
      },
    },
    { call: (_call: unknown, done: (error: null, answer: Buffer) => void) => done(null, bytes) },
  );
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, port) => process.send?.(port));
});
