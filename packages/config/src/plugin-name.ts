import { fileURLToPath } from "node:url"

const NAME = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@.+)?$/i

/** Returns true if a plugin is named by its path, false if by its package. */
export function isPluginPath(written: string): boolean {
  return /^(?:\.|~\/|\/|file:|[a-z]:[\\/])/i.test(written)
}

/** Removes the version from a package name. Returns anything else unchanged. */
export function pluginName(written: string): string {
  return NAME.exec(written)?.[1] ?? written
}

/** Removes the file: scheme. A URL of another machine is returned unchanged: it is not a local file. */
export function withoutScheme(written: string): string {
  if (!written.startsWith("file:")) return written
  if (!written.startsWith("file://")) return written.slice("file:".length)
  try {
    return fileURLToPath(written)
  } catch {
    return written
  }
}
