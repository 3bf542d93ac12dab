import { KeyMoves } from "../key-moves.ts"
import { formatKeyPath, type KeyPath, valueAt } from "../key-path.ts"

type Fields = Record<string, unknown>

/** A value left out, by where it is written. */
export interface Dropped {
  readonly path: KeyPath
  readonly reason: string
}

/** A configuration on its way from OpenCode's keys to pawl's. */
export class Draft {
  readonly value: Fields
  readonly moves = new KeyMoves()
  readonly dropped: Dropped[] = []

  /** The value itself stays as it is. */
  constructor(given: Readonly<Fields>) {
    this.value = structuredClone(given)
  }

  at(path: KeyPath): unknown {
    return valueAt(this.value, path)
  }

  /** The names in the table at a path; none where there is no table. */
  names(path: KeyPath): string[] {
    const table = this.at(path)
    return isFields(table) ? Object.keys(table) : []
  }

  /** Puts a value where none is; `from` is where it was written. False where one is. */
  put(path: KeyPath, value: unknown, from: KeyPath): boolean {
    if (this.at(path) !== undefined) return false
    const property = { value, writable: true, enumerable: true, configurable: true }
    // Unlike assignment, this makes a plain property of `__proto__`.
    Object.defineProperty(this.#parent(path), String(path.at(-1)), property)
    this.moves.add(path, from)
    return true
  }

  /** Existing values come before moved ones. */
  move(from: KeyPath, to: KeyPath): void {
    const value = this.at(from)
    if (value === undefined) return
    this.remove(from)
    this.putOrDrop(to, value, from)
  }

  /** Puts a value where none is; what is there goes before it. */
  putOrDrop(path: KeyPath, value: unknown, from: KeyPath): void {
    if (!this.put(path, value, from)) this.dropped.push({ path: from, reason: `\`${formatKeyPath(path)}\` says it` })
  }

  drop(path: KeyPath, reason: string): void {
    if (this.at(path) === undefined) return
    this.remove(path)
    this.dropped.push({ path, reason })
  }

  remove(path: KeyPath): void {
    const parent = this.at(path.slice(0, -1))
    if (isFields(parent)) delete parent[String(path.at(-1))]
  }

  #parent(path: KeyPath): Fields {
    return path.slice(0, -1).reduce<Fields>((parent, key) => {
      const name = String(key)
      const child = Object.hasOwn(parent, name) ? parent[name] : undefined
      if (isFields(child)) return child
      const made: Fields = {}
      parent[name] = made
      return made
    }, this.value)
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
