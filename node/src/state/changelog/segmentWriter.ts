import { type FileHandle, open } from 'node:fs/promises';
import { syncDirectory } from '@chain/platform';
import { encodeFrame, newSegmentHeader, SEGMENT_HEADER_BYTES } from './frame.ts';
import { type Segment, segmentPath } from './segment.ts';

interface VersionedPayload {
  readonly version: number;
  readonly payload: Uint8Array;
}

/** Appends batches of entries to the newest segment and begins new ones. Calls must not overlap. */
export class SegmentWriter {
  readonly #directory: string;
  readonly #segmentBytes: number;
  readonly #segments: Segment[];
  #file: FileHandle | undefined;

  /** `segments` is shared with the log: the writer adds to it, and to the newest segment's index. */
  constructor(directory: string, segmentBytes: number, segments: Segment[]) {
    this.#directory = directory;
    this.#segmentBytes = segmentBytes;
    this.#segments = segments;
  }

  /** Writes the batch with one sync and only then makes it visible in the segment's index. */
  async write(batch: readonly VersionedPayload[]): Promise<void> {
    const { segment, file } = await this.#target(batch[0]!.version);
    const frames = batch.map(({ payload }, place) => encodeFrame(payload, place, segment.mark!));
    const bytes = frames.length === 1 ? frames[0]! : Buffer.concat(frames);
    let written = 0;
    while (written < bytes.length) {
      const result = await file.write(bytes, written, bytes.length - written, segment.size + written);
      written += result.bytesWritten;
    }
    await file.datasync();
    for (const frame of frames) {
      segment.offsets!.push(segment.size);
      segment.size += frame.length;
    }
  }

  /** Lets go of the newest segment's file; the next write opens it again. */
  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  async #target(version: number): Promise<{ segment: Segment; file: FileHandle }> {
    const newest = this.#segments.at(-1);
    // One of the older format is left as it is.
    if (!newest?.mark?.hasPlaces || newest.size >= this.#segmentBytes) return this.#begin(version);
    this.#file ??= await open(newest.path, 'r+');
    return { segment: newest, file: this.#file };
  }

  async #begin(firstVersion: number): Promise<{ segment: Segment; file: FileHandle }> {
    await this.close();
    const path = segmentPath(this.#directory, firstVersion);
    const file = await open(path, 'wx');
    this.#file = file;
    const { header, mark } = newSegmentHeader();
    await file.write(header);
    await file.datasync();
    await syncDirectory(this.#directory);
    const segment: Segment = { path, firstVersion, size: SEGMENT_HEADER_BYTES, offsets: [], mark };
    this.#segments.push(segment);
    return { segment, file };
  }
}
