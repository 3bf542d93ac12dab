import path from "node:path"
import type { Env } from "../source.ts"

/** OpenCode's own directory for the user, which has no variable that names it alone. Empty for want of a home. */
export function openCodeDirectory({ env, home }: { env: Env; home: string | undefined }): string[] {
  const base = env["XDG_CONFIG_HOME"]
  if (base && path.isAbsolute(base)) return [path.join(base, "opencode")]
  return home ? [path.join(home, ".config", "opencode")] : []
}
