import type { BunShim } from "./create-bun.ts"

type Global = { Bun?: unknown }

/**
 * Defines the global `Bun` unless it exists, because plugins use it without an import. Returns a function that removes
 * it.
 */
export function installBun(bun: BunShim): () => void {
  const scope = globalThis as Global
  if ("Bun" in scope) return () => undefined
  Object.defineProperty(scope, "Bun", { value: bun, configurable: true, enumerable: false, writable: true })
  return () => {
    if (scope.Bun === bun) delete scope.Bun
  }
}
