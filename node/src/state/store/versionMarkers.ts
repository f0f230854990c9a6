import { CodedError } from '@chain/platform';
import type { BatchOperation, KeyValueDb } from '../../db/index.ts';
import { putVersion, VERSION_BYTES, versionAt } from './byteCursor.ts';
import { markerRow } from './rowKey.ts';

const LATEST = markerRow('latest');
const EARLIEST = markerRow('earliest');
const LAYOUT = markerRow('layout');
const LISTED_FROM = markerRow('listed');
const WASTE = markerRow('waste');
const INTENT = markerRow('intent');
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

/** The floor, as it is on disk now. */
export function readEarliest(db: Pick<KeyValueDb, 'get'>): number {
  return markerAt(db, EARLIEST);
}

export function versionPruned(version: number, earliest: number): CodedError {
  return new CodedError(
    'STORE_VERSION_PRUNED',
    `version ${version} was pruned while it was read; the earliest is now ${earliest}: ask for a newer one`,
    { fields: { version, earliest } },
  );
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

/** From which version on the store lists what versions superseded; `undefined` when it does not. */
export function readListedFrom(db: KeyValueDb): number | undefined {
  return db.has(LISTED_FROM) ? markerAt(db, LISTED_FROM) : undefined;
}

export function listedFromMarker(version: number | undefined): BatchOperation {
  return version === undefined ? { type: 'del', key: LISTED_FROM } : put(LISTED_FROM, version);
}

export function readWaste(db: KeyValueDb): number {
  return markerAt(db, WASTE);
}

export function wasteMarker(bytes: number): BatchOperation {
  return put(WASTE, bytes);
}

/** A move of the floor of all databases, on disk in the base store until each has made it. */
export interface FloorIntent {
  readonly from: number;
  readonly to: number;
}

export function readIntent(db: KeyValueDb): FloorIntent | undefined {
  const bytes = db.get(INTENT);
  return bytes && { from: versionAt(bytes, 0), to: versionAt(bytes, VERSION_BYTES) };
}

export function intentMarker(intent: FloorIntent | undefined): BatchOperation {
  if (intent === undefined) return { type: 'del', key: INTENT };
  const value = new Uint8Array(2 * VERSION_BYTES);
  putVersion(value, putVersion(value, 0, intent.from), intent.to);
  return { type: 'put', key: INTENT, value };
}

function markerAt(db: Pick<KeyValueDb, 'get'>, row: Uint8Array): number {
  const bytes = db.get(row);
  return bytes === undefined ? 0 : versionAt(bytes, 0);
}

function put(key: Uint8Array, version: number): BatchOperation {
  const value = new Uint8Array(VERSION_BYTES);
  putVersion(value, 0, version);
  return { type: 'put', key, value };
}
