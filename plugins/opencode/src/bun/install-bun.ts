import type { BunShim } from "./create-bun.ts"

type Global = { Bun?: unknown }

/**
 * Puts the global `Bun` in place where there is none: plugins use it without importing it. Returns the function that takes
 * it away again.
 */
export function installBun(bun: BunShim): () => void {
  const scope = globalThis as Global
  if ("Bun" in scope) return () => undefined
  Object.defineProperty(scope, "Bun", { value: bun, configurable: true, enumerable: false, writable: true })
  return () => {
    if (scope.Bun === bun) delete scope.Bun
  }
}
