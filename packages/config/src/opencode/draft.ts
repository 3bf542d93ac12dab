import { KeyMoves } from "../key-moves.ts"
import { formatKeyPath, type KeyPath, valueAt } from "../key-path.ts"

type Fields = Record<string, unknown>

/** A value that was ignored, with its original path. */
export interface Dropped {
  readonly path: KeyPath
  readonly reason: string
}

/** A configuration that is being converted from OpenCode's keys to pawl's. */
export class Draft {
  readonly value: Fields
  readonly moves = new KeyMoves()
  readonly dropped: Dropped[] = []

  /** Copies the value. */
  constructor(given: Readonly<Fields>) {
    this.value = structuredClone(given)
  }

  at(path: KeyPath): unknown {
    return valueAt(this.value, path)
  }

  /** Returns the names in the object at a path; empty if there is no object. */
  names(path: KeyPath): string[] {
    const table = this.at(path)
    return isFields(table) ? Object.keys(table) : []
  }

  /** Sets a value, with its original path, if the path has none. Returns false if it has one. */
  put(path: KeyPath, value: unknown, from: KeyPath): boolean {
    if (this.at(path) !== undefined) return false
    const property = { value, writable: true, enumerable: true, configurable: true }
    // Unlike an assignment, this defines `__proto__` as a plain property.
    Object.defineProperty(this.#parent(path), String(path.at(-1)), property)
    this.moves.add(path, from)
    return true
  }

  /** Moves a value. If `to` has a value already, drops the moved one. */
  move(from: KeyPath, to: KeyPath): void {
    const value = this.at(from)
    if (value === undefined) return
    this.remove(from)
    this.putOrDrop(to, value, from)
  }

  /** Sets a value if the path has none; otherwise drops it. */
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
      const created: Fields = {}
      parent[name] = created
      return created
    }, this.value)
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
