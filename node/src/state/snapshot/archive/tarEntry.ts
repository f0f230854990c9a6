import { CodedError } from '@chain/platform';

/** One block of a tar file (POSIX ustar); entries are padded to whole blocks, two empty ones end the file. */
export const TAR_BLOCK_BYTES = 512;
export const TAR_END = new Uint8Array(2 * TAR_BLOCK_BYTES);

export interface TarEntry {
  readonly name: string;
  readonly size: number;
}

export const paddingOf = (size: number): number =>
  (TAR_BLOCK_BYTES - (size % TAR_BLOCK_BYTES)) % TAR_BLOCK_BYTES;

/** The header of a plain file; no owner and no time, so that equal content gives equal bytes. */
export function encodeTarHeader({ name, size }: TarEntry): Uint8Array {
  const header = Buffer.alloc(TAR_BLOCK_BYTES);
  const octal = (value: number, at: number, length: number): void => {
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  };
  header.write(name, 0, 'latin1');
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write('        0', 148, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** `undefined` at the end of the archive. Throws SNAPSHOT_ARCHIVE. */
export function decodeTarHeader(header: Uint8Array, path: string): TarEntry | undefined {
  if (header.every((byte) => byte === 0)) return undefined;
  const text = Buffer.from(header).toString('latin1');
  const number = (at: number, length: number): number => Number.parseInt(text.slice(at, at + length), 8);
  const blanked = Uint8Array.from(header).fill(0x20, 148, 156);
  const sum = blanked.reduce((total, byte) => total + byte, 0);
  const size = number(124, 12);
  if (header.length < TAR_BLOCK_BYTES || number(148, 8) !== sum || !Number.isSafeInteger(size)) {
    throw badArchive(path, 'it is no tar file, or one that is cut short or damaged');
  }
  return { name: text.slice(0, text.indexOf('\0')), size };
}

export function badArchive(path: string, why: string): CodedError {
  return new CodedError(
    'SNAPSHOT_ARCHIVE',
    `${path} is no whole snapshot archive: ${why}; export it again with "chaind snapshot export"`,
    { fields: { path } },
  );
}
