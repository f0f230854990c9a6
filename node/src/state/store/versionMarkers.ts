import { CodedError } from '@chain/platform';
import type { BatchOperation, KeyValueDb } from '../../db/index.ts';
import { putVersion, VERSION_BYTES, versionAt } from './byteCursor.ts';
import { markerRow } from './rowKey.ts';

const LATEST = markerRow('latest');
const EARLIEST = markerRow('earliest');
const LAYOUT = markerRow('layout');
const LAYOUT_VERSION = 1;

/** Which versions a database answers for. Both are 0 in one that has just been created. */
export interface VersionMarkers {
  readonly latest: number;
  readonly earliest: number;
}

/** `undefined` when the database has never been initialised: "empty" in start-up check 2. Throws STORE_LAYOUT. */
export function readMarkers(db: KeyValueDb): VersionMarkers | undefined {
  const layout = db.get(LAYOUT);
  if (layout === undefined) return undefined;
  if (versionAt(layout, 0) !== LAYOUT_VERSION) {
    throw new CodedError(
      'STORE_LAYOUT',
      `state store has key layout ${versionAt(layout, 0)}, this program reads ${LAYOUT_VERSION}; use the program that wrote it, or state sync again`,
      { fields: { layout: versionAt(layout, 0), supported: LAYOUT_VERSION } },
    );
  }
  return { latest: markerAt(db, LATEST), earliest: markerAt(db, EARLIEST) };
}

/** Markers of a database that is created. */
export function initialMarkers(): BatchOperation[] {
  return [put(LAYOUT, LAYOUT_VERSION), put(LATEST, 0), put(EARLIEST, 0)];
}

/** Goes into the batch that carries the version's rows. */
export function latestMarker(version: number): BatchOperation {
  return put(LATEST, version);
}

export function earliestMarker(version: number): BatchOperation {
  return put(EARLIEST, version);
}

function markerAt(db: KeyValueDb, row: Uint8Array): number {
  const bytes = db.get(row);
  return bytes === undefined ? 0 : versionAt(bytes, 0);
}

function put(key: Uint8Array, version: number): BatchOperation {
  const value = new Uint8Array(VERSION_BYTES);
  putVersion(value, 0, version);
  return { type: 'put', key, value };
}
