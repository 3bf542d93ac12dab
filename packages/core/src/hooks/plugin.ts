import type { z } from "zod"
import type { EngineEvent } from "../events.ts"
import type { NoTool, OfferedTool } from "../tool/offered-tools.ts"
import type { HookMap, HookName } from "./hook-map.ts"

export type HookInput<N extends HookName> = N extends "event"
  ? { readonly event: EngineEvent }
  : z.infer<HookMap[N]["input"]>
export type HookOutput<N extends HookName> = z.infer<HookMap[N]["output"]>

/**
 * `input` is frozen. `output` is a draft of the handler's own: the engine reads it back, checked against the hook's
 * row, when the handler ends. A returned value replaces the draft.
 */
export type HookHandler<N extends HookName> = (
  input: HookInput<N>,
  output: HookOutput<N>,
) => Promise<HookOutput<N> | void> | HookOutput<N> | void

export type CalledHookName = Exclude<HookName, "tool" | "auth" | "provider">

type Handlers = { readonly [N in CalledHookName]?: HookHandler<N> }
type Experimental = { readonly [N in CalledHookName as `experimental.${N}`]?: HookHandler<N> }

/**
 * What a plugin takes part in; may be an instance of a class. Names work with and without `experimental.`; of two
 * handlers of one hook the one without is called. Keys that are no hook are ignored.
 */
export interface PluginHooks extends Handlers, Experimental {
  /**
   * Tools by name, of letters, digits, `_` and `-`, at most 64. One with the name of a built-in tool replaces it.
   * `undefined`, `null` and `false` are passed over; what else is no tool is reported and left out.
   */
  readonly tool?: Readonly<Record<string, OfferedTool | NoTool>>
}

export interface PluginInput {
  /** Options from the plugin's entry in the configuration. */
  readonly options: Readonly<Record<string, unknown>>
}

export type Plugin = (input: PluginInput) => Promise<PluginHooks> | PluginHooks

/** A plugin with its place in the order: by priority (higher first), then as given. */
export interface PluginEntry {
  readonly id: string
  readonly plugin: Plugin
  readonly priority?: number
  readonly options?: Readonly<Record<string, unknown>>
}

/** Gives the hooks their types. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin
}
