/** An event that a version of a plugin received, or an action of it. */
export interface Line {
  readonly what: string
  readonly plugin: string
  readonly version: number
  /** Id of a call or an event. */
  readonly about?: string | undefined
}

/** Everything that the versions of all plugins recorded, in order. */
export interface ReloadLedger {
  readonly lines: readonly Line[]
  readonly tell: (what: string, plugin: string, version: number, about?: string) => void
  /** The newest started version of each plugin. */
  readonly newest: ReadonlyMap<string, number>
  /** `a=1 b=3`, sorted by name. */
  readonly versions: () => string
}

export function createReloadLedger(): ReloadLedger {
  const lines: Line[] = []
  const newest = new Map<string, number>()
  return {
    ...{ lines, newest },
    tell(what, plugin, version, about) {
      lines.push({ what, plugin, version, about })
      if (what === "started") newest.set(plugin, version)
    },
    versions: () => namedVersions(newest),
  }
}

export function namedVersions(versions: Iterable<readonly [string, number]>): string {
  return Array.from(versions, ([name, version]) => `${name}=${version}`)
    .toSorted()
    .join(" ")
}
