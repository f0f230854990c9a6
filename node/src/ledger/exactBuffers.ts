import { BinaryWriter } from 'cosmjs-types/binary';

// The library means to cut small messages from a pool, but makes a pool of 8 KB for each of them: every row that a
// cache keeps would keep so much.
BinaryWriter.alloc = (size: number) => new Uint8Array(size);
