import { formatKeyPath, type KeyPath } from "./key-path.ts"

/** Maps current keys to the keys from which their values were moved. */
export class KeyMoves {
  readonly #from = new Map<string, KeyPath>()

  /** Records that the value at `to`, and everything in it that was not moved separately, was at `from`. */
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
