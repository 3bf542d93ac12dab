import type { Storage } from "@pawl/core/storage"

/** The storage as a process that dies sees it: the `failAt`-th call (from 1) and all later ones reject. */
export function failingStorage<T extends Storage>(storage: T, failAt: number): { storage: T; calls: () => number } {
  let calls = 0
  function count(): void {
    if (++calls >= failAt) throw new Error("killed")
  }
  const lists = new Set(["listSessions", "readMessages", "verify", "search"])
  const wrapped = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(inner, name) {
        const value: unknown = Reflect.get(inner, name)
        if (name === "blobs") return wrapped(value as object)
        if (typeof value !== "function") return value
        const call = (...given: unknown[]) => Reflect.apply(value, inner, given) as unknown
        if (lists.has(String(name))) return (...given: unknown[]) => counted(call(...given) as AsyncIterable<unknown>)
        return async (...given: unknown[]) => {
          count()
          const result = await call(...given)
          return name === "acquire" && result ? wrapped(result) : result
        }
      },
    })
  async function* counted(items: AsyncIterable<unknown>): AsyncGenerator {
    for await (const item of items) {
      count()
      yield item
    }
  }
  return { storage: wrapped(storage), calls: () => calls }
}
