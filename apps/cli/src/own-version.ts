import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Host } from "./host.ts"

/** The version of this package; `0.0.0` where that cannot be read. */
export async function ownVersion({ demoDirectory }: Pick<Host, "demoDirectory">): Promise<string> {
  const text = await readFile(join(demoDirectory, "..", "package.json"), "utf8").catch(() => "{}")
  return (JSON.parse(text) as { readonly version?: string }).version ?? "0.0.0"
}
