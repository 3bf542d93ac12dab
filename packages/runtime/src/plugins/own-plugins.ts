import type { Plugin } from "@pawl/core/plugin"
import type { Settings } from "../config/settings.ts"

/** A plugin that comes with pawl. */
export interface OwnPlugin {
  /** Name in a configuration. */
  readonly name: string
  /** The package that it is, under which it may be named as well. */
  readonly package: string
  /** Returns true if it is loaded without being configured. Default: never. */
  readonly isWanted?: (settings: Settings) => boolean
  /** Imports it. */
  readonly load: () => Promise<Plugin>
  /** Options that it has where the configuration gives none. */
  readonly defaults?: (settings: Settings) => Readonly<Record<string, unknown>>
}

/** In the order in which those that are wanted unnamed stand before all others. */
export const ownPlugins: readonly OwnPlugin[] = [
  {
    ...{ name: "compaction-prompt", package: "@pawl/plugin-compaction-prompt" },
    async load() {
      const { createCompactionPrompt } = await import("@pawl/plugin-compaction-prompt")
      return (input) => createCompactionPrompt({ notify: (notice) => input.notice(notice) })(input)
    },
    defaults: ({ directory }) => ({ directory }),
  },
  {
    ...{ name: "guard", package: "@pawl/plugin-guard" },
    load: async () => (await import("@pawl/plugin-guard")).default,
  },
  {
    ...{ name: "notify", package: "@pawl/plugin-notify" },
    load: async () => (await import("@pawl/plugin-notify")).default,
  },
  {
    ...{ name: "otel", package: "@pawl/plugin-otel" },
    load: async () => (await import("@pawl/plugin-otel")).default,
  },
]

/** Returns the bundled plugin with this name or package name. Undefined for other plugins. */
export function ownPlugin(written: string): OwnPlugin | undefined {
  return ownPlugins.find((plugin) => plugin.name === written || plugin.package === written)
}
