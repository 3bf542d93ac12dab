type Init = Iterable<readonly [string, string]> | Readonly<Record<string, string | undefined>> | undefined

/**
 * Takes the place of the global Headers inside the bundle. The first touch of the global one loads all of Node's fetch,
 * which is longer than everything else that a short command does; requests leave through node:http anyway.
 */
class LightHeaders {
  readonly #values = new Map<string, string>()

  constructor(init?: Init) {
    if (init === undefined) return
    const entries = Symbol.iterator in init ? init : Object.entries(init)
    for (const [name, value] of entries) if (value !== undefined) this.append(name, value)
  }
  append(name: string, value: string): void {
    const known = this.get(name)
    this.set(name, known === null ? value : `${known}, ${value}`)
  }
  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value.trim())
  }
  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }
  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }
  delete(name: string): void {
    this.#values.delete(name.toLowerCase())
  }
  forEach(each: (value: string, name: string) => void): void {
    for (const [name, value] of this) each(value, name)
  }
  /** By name in ascending order, as the standard has it. */
  entries(): IterableIterator<[string, string]> {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)).values()
  }
  keys(): IterableIterator<string> {
    return [...this].map(([name]) => name).values()
  }
  values(): IterableIterator<string> {
    return [...this].map(([, value]) => value).values()
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
}

export { LightHeaders as Headers }
