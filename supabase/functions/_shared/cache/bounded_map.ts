export interface BoundedMapOptions<Value> {
  /** Returns true for a value that must not be dropped now. @default none */
  isInUse?: (value: Value) => boolean;
  /** Called with a value that was dropped. */
  onDrop?: (value: Value) => void;
}

/**
 * A map with a limited number of entries. An entry that is set moves to the end; beyond the limit,
 * the first entry is dropped.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maxEntries: number;
  readonly #options: BoundedMapOptions<Value>;

  constructor(maxEntries: number, options: BoundedMapOptions<Value> = {}) {
    super();
    this.#maxEntries = maxEntries;
    this.#options = options;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#maxEntries) this.#dropOldest(key);
    return this;
  }

  #dropOldest(newest: Key): void {
    const { isInUse, onDrop } = this.#options;
    // A Map keeps insertion order: the first key is the oldest.
    for (const [key, value] of this) {
      if (key === newest || isInUse?.(value)) continue;
      this.delete(key);
      onDrop?.(value);
      return;
    }
  }
}
