import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Runs as a process of its own: parses each body and sends the bytes that its parent gave, whatever was asked. */
process.once('message', (text: string) => {
  const answer = Buffer.from(text, 'latin1');
  const headers = { 'content-type': 'application/json', 'content-length': answer.length };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(200, headers).end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
