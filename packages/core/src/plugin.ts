import type { Engine } from "./engine.ts"
import {
  definePlugin as defineFor,
  isPawlPlugin as isPlugin,
  type Plugin as PluginOf,
  type PluginEntry as EntryOf,
  type PluginInput as InputOf,
} from "./hooks/plugin.ts"

export type PluginInput = InputOf<Engine>
export type Plugin = PluginOf<Engine>
export type PluginEntry = EntryOf<Engine>

/** Gives the hooks their types, and marks a module's default export as a plugin of this kind. */
export const definePlugin: (plugin: Plugin) => Plugin = defineFor

/** Returns whether `definePlugin` made the value, in any copy of this package. */
export const isPawlPlugin: (value: unknown) => value is Plugin = isPlugin as (value: unknown) => value is Plugin
