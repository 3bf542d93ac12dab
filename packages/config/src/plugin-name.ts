const NAME = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@.+)?$/i

/** Whether a plugin is named by where it lies, and not by its package. */
export function isPluginPath(written: string): boolean {
  return /^(?:\.|~\/|\/|file:|[a-z]:[\\/])/i.test(written)
}

/** The package that is meant, without a version; what is no package's name is itself. */
export function pluginName(written: string): string {
  return NAME.exec(written)?.[1] ?? written
}
