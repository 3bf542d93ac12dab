import { join } from "node:path"
import type { World } from "./world.ts"

/** The command line of OpenCode's program for this machine. The `opencode` of npm only starts it. */
export function opencode({ packages }: World): readonly string[] {
  const platform = process.platform === "win32" ? "windows" : process.platform
  return [join(packages, "node_modules", `opencode-${platform}-${process.arch}`, "bin/opencode")]
}
