import type { RuntimeHost } from "../host.ts"

/** Returns true if one of these variables is `1` or `true`. */
export function isSwitchedOn(environment: RuntimeHost["environment"], names: readonly string[]): boolean {
  return names.some((name) => ["1", "true"].includes(environment[name]?.toLowerCase() ?? ""))
}
