import { type KeyRange, type KeyValue, Overlay } from '../../state/view/index.ts';
import { type GasMeter, STORE_GAS } from './gasMeter.ts';

/** Writes of one transaction over the block's; every access costs gas as in the Cosmos SDK. */
export class MeteredOverlay extends Overlay {
  readonly #meter: GasMeter;

  constructor(parent: Overlay, meter: GasMeter) {
    super(parent);
    this.#meter = meter;
  }

  override get(store: string, key: Uint8Array): Uint8Array | undefined {
    this.#meter.consume(STORE_GAS.readFlat, 'ReadFlat');
    const value = super.get(store, key);
    const bytes = key.length + (value?.length ?? 0);
    this.#meter.consume(STORE_GAS.readPerByte * BigInt(bytes), 'ReadPerByte');
    return value;
  }

  override set(store: string, key: Uint8Array, value: Uint8Array): void {
    this.#meter.consume(STORE_GAS.writeFlat, 'WriteFlat');
    this.#meter.consume(STORE_GAS.writePerByte * BigInt(key.length + value.length), 'WritePerByte');
    super.set(store, key, value);
  }

  override delete(store: string, key: Uint8Array): void {
    this.#meter.consume(STORE_GAS.delete, 'Delete');
    super.delete(store, key);
  }

  override *iterate(store: string, range?: KeyRange): Iterable<KeyValue> {
    for (const [key, value] of super.iterate(store, range)) {
      this.#meter.consume(
        STORE_GAS.iterateNext + STORE_GAS.readPerByte * BigInt(key.length + value.length),
        'IterNext',
      );
      yield [key, value];
    }
  }
}

/** Makes the writes of `from` those of `to`. */
export function flushOverlay(from: Overlay, to: Overlay): void {
  for (const { store, changes } of from.changes()) {
    for (const { key, value } of changes) {
      if (value) to.set(store, key, value);
      else to.delete(store, key);
    }
  }
}
