import { formatKeyPath, type KeyPath } from "./key-path.ts"

/** Maps current keys to the keys from which their values were moved. */
export class KeyMoves {
  readonly #from = new Map<string, KeyPath>()

  /** The value at `to`, and all in it that is not moved by itself, was at `from`. */
  add(to: KeyPath, from: KeyPath): void {
    this.#from.set(formatKeyPath(to), from)
  }

  writtenAt(path: KeyPath): KeyPath {
    for (let length = path.length; length > 0; length--) {
      const from = this.#from.get(formatKeyPath(path.slice(0, length)))
      if (from) return [...from, ...path.slice(length)]
    }
    return path
  }
}
