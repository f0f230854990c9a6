import { workerData } from 'node:worker_threads';
import { CommitImporter, type CommitImportOptions, publishImport } from '../../commit/index.ts';
import { ItemReader, type StreamPosition } from '../stream/itemReader.ts';
import { CommitSections } from './sections.ts';
import { serveImport } from './serveImport.ts';
import type { ImportPosition } from './threadMessages.ts';

/** Runs as a thread of its own: builds the Merkle trees from the stream. */
const { options, from, slabs } = workerData as {
  readonly options: CommitImportOptions;
  readonly from?: StreamPosition;
  readonly slabs: readonly SharedArrayBuffer[];
};
let opened: { readonly importer: CommitImporter; readonly reader: ItemReader } | undefined;

/** Not before it is asked for: what it fails with must reach whoever asked. */
function open() {
  if (opened) return opened;
  const importer = new CommitImporter(options);
  opened = { importer, reader: new ItemReader(new CommitSections(importer, from?.section), from) };
  return opened;
}

function position(): Partial<ImportPosition> {
  const { importer, reader } = open();
  return { stream: reader.position, commit: importer.checkpoint() };
}

serveImport(
  {
    piece: (bytes) => open().reader.push(bytes),
    ready: async () => void open(),
    checkpoint: async () => ({ position: position() }),
    finish: async () => {
      open().reader.finish();
      const appHash = open().importer.finish();
      return { appHash, position: position() };
    },
    complete: async () => publishImport(options),
    close: async () => undefined,
  },
  slabs,
);
