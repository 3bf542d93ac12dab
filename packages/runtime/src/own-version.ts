import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { RuntimeHost } from "./host.ts"

/** Reads the program's version from the `package.json` next to its demo directory. Default if unreadable: `0.0.0`. */
export function ownVersion({ demoDirectory }: Pick<RuntimeHost, "demoDirectory">): string {
  try {
    const text = readFileSync(join(demoDirectory, "..", "package.json"), "utf8")
    return (JSON.parse(text) as { readonly version?: string }).version ?? "0.0.0"
  } catch {
    return "0.0.0"
  }
}
