import { join } from "node:path"
import { configPaths } from "@pawl/config"
import type { Host } from "../host.ts"
import type { Settings } from "../settings/settings.ts"

/** Where npm installs plugins to; absolute. */
export function packageDirectory(
  { dataDirectory }: Pick<Settings, "dataDirectory">,
  { environment: env, home }: Pick<Host, "environment" | "home">,
): string {
  // Without a home there is still the directory for files that must last.
  const hasCache = Boolean(home) || Boolean(env["XDG_CACHE_HOME"])
  return join(hasCache ? configPaths({ env, home }).cache : dataDirectory, "packages")
}
