// For programs that load plugins, and for packages that give plugin authors their types: the definition, the hooks, ways to sign in.
import type { Engine } from "./engine.ts"
import {
  definePlugin as defineFor,
  isPawlPlugin as isPlugin,
  type Plugin as PluginOf,
  type PluginEntry as EntryOf,
  type PluginInput as InputOf,
} from "./hooks/plugin.ts"

export type {
  PluginHooks,
  HookHandler,
  PluginCommand,
  PluginResource,
  PluginResources,
  PluginTools,
  ToolScope,
} from "./hooks/plugin.ts"
export type { HookInput, HookOutput } from "./contracts/hooks.ts"
export type { OfferedTool } from "./contracts/offered-tools.ts"
export { unknownHooks } from "./hooks/hook-names.ts"
export type { Contribution, PluginReport } from "./hooks/plugin-control.ts"
export type { PluginProblem } from "./hooks/plugins.ts"
export type {
  AuthContribution,
  AuthInputs,
  AuthMethod,
  AuthOutcome,
  AuthPrompt,
  OAuthStart,
  ProviderContribution,
  ProviderOptions,
  KnownProvider,
  StoredAuth,
} from "./contracts/sign-in.ts"
export type { Engine } from "./engine.ts"
export type { EngineEvent } from "./contracts/events.ts"
export { messageOf } from "./base/errors.ts"
export { kindOf } from "./base/kind-of.ts"

export type PluginInput = InputOf<Engine>
export type Plugin = PluginOf<Engine>
export type PluginEntry = EntryOf<Engine>

/** Gives the hooks their types, and marks a module's default export as a plugin of this kind. */
export const definePlugin: (plugin: Plugin) => Plugin = defineFor

/** Returns whether `definePlugin` made the value, in any copy of this package. */
export const isPawlPlugin: (value: unknown) => value is Plugin = isPlugin as (value: unknown) => value is Plugin
