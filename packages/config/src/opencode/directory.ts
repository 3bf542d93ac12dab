import path from "node:path"
import type { Env } from "../source.ts"

/**
 * Returns OpenCode's user directory; empty if the home directory is missing. No environment variable sets this
 * directory alone.
 */
export function openCodeDirectory({ env, home }: { env: Env; home: string | undefined }): string[] {
  const base = env["XDG_CONFIG_HOME"]
  if (base && path.isAbsolute(base)) return [path.join(base, "opencode")]
  return home ? [path.join(home, ".config", "opencode")] : []
}
