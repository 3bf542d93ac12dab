import nodePath from "node:path"
import { ConfigError } from "./config-error.ts"
import type { Env } from "./source.ts"

export interface ConfigPathOptions {
  env: Env
  /** The home directory; undefined or empty if there is no home directory. */
  home: string | undefined
  /** The operating system, which determines the form of the paths. Default: that of this machine. */
  platform?: NodeJS.Platform
}

/** The directories of pawl. Each path is computed when it is read, and throws ConfigError if it needs a missing home. */
export interface ConfigPaths {
  /** The user's configuration: `PAWL_CONFIG_DIR`, or `pawl` in `XDG_CONFIG_HOME`. */
  readonly config: string
  /** Sessions and other permanent data: `PAWL_DATA_DIR`, or `pawl` in `XDG_DATA_HOME`. */
  readonly data: string
  /** Data that can be downloaded or computed again: `pawl` in `XDG_CACHE_HOME`. */
  readonly cache: string
  /** Data that should survive a restart but needs no backup: `pawl` in `XDG_STATE_HOME`. */
  readonly state: string
}

interface Place {
  purpose: string
  override?: string
  xdg: string
  belowHome: string[]
}

/**
 * Returns the directories of the XDG specification, on every platform. Ignores a relative XDG variable, as the
 * specification requires.
 */
export function configPaths({ env, home, platform }: ConfigPathOptions): ConfigPaths {
  const path = pathFlavour(platform)

  function directory({ purpose, override, xdg, belowHome }: Place): string {
    const own = override === undefined ? undefined : env[override]
    if (own && path.isAbsolute(own)) return path.normalize(own)
    if (own) throw new ConfigError([{ message: `${override} must be an absolute path, got ${JSON.stringify(own)}.` }])

    const base = env[xdg]
    if (base && path.isAbsolute(base)) return path.join(base, "pawl")
    if (home) return path.join(home, ...belowHome, "pawl")

    const choices = override === undefined ? `HOME or ${xdg}` : `HOME, ${xdg} or ${override}`
    throw new ConfigError([{ message: `There is no home directory to look for ${purpose} in. Set ${choices}.` }])
  }

  return {
    get config() {
      return directory({
        purpose: "the configuration",
        override: "PAWL_CONFIG_DIR",
        xdg: "XDG_CONFIG_HOME",
        belowHome: [".config"],
      })
    },
    get data() {
      return directory({
        purpose: "sessions",
        override: "PAWL_DATA_DIR",
        xdg: "XDG_DATA_HOME",
        belowHome: [".local", "share"],
      })
    },
    get cache() {
      return directory({ purpose: "the cache", xdg: "XDG_CACHE_HOME", belowHome: [".cache"] })
    },
    get state() {
      return directory({ purpose: "state", xdg: "XDG_STATE_HOME", belowHome: [".local", "state"] })
    },
  }
}

function pathFlavour(platform: NodeJS.Platform | undefined): nodePath.PlatformPath {
  if (platform === undefined) return nodePath
  return platform === "win32" ? nodePath.win32 : nodePath.posix
}
