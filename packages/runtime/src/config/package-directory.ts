import { join } from "node:path"
import { configPaths } from "@pawl/config"
import type { RuntimeHost } from "../host.ts"
import type { Settings } from "./settings.ts"

type DataLocation = Pick<Settings, "dataDirectory">
type User = Pick<RuntimeHost, "environment" | "home">

/** Returns the absolute directory into which npm installs plugins. */
export function packageDirectory(location: DataLocation, user: User): string {
  return join(cacheDirectory(location, user), "packages")
}

/** Returns the absolute directory for the TypeScript of plugins and tools, converted to JavaScript. */
export function strippedDirectory(location: DataLocation, user: User): string {
  return join(cacheDirectory(location, user), "stripped")
}

/** Without a home directory, the data directory is used. */
function cacheDirectory({ dataDirectory }: DataLocation, { environment: env, home }: User): string {
  const hasCache = Boolean(home) || Boolean(env["XDG_CACHE_HOME"])
  return hasCache ? configPaths({ env, home }).cache : dataDirectory
}
