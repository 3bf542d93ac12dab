import type { SessionID } from "../base/ids.ts"
import type { PromptPart } from "../contracts/prompt.ts"
import type { ModelRef } from "../record/message.ts"
import type { NoTool, OfferedTool } from "../contracts/offered-tools.ts"
import type { HookMap, HookName } from "../contracts/hook-map.ts"
import type { AuthContribution, ProviderContribution } from "../contracts/sign-in.ts"
import type { HookInput, HookOutput } from "../contracts/hooks.ts"

/**
 * `input` is frozen. `output` is a draft of the handler's own: the engine reads it back, checked against the hook's
 * row, when the handler ends. A returned value replaces the draft.
 */
export type HookHandler<N extends HookName> = (
  input: HookInput<N>,
  output: HookOutput<N>,
) => Promise<HookOutput<N> | void> | HookOutput<N> | void

/** What is read of a plugin instead of being called as a handler. */
export type ContributionName = {
  [N in HookName]: HookMap[N]["class"] extends "contribution" ? N : never
}[HookName]

export type CalledHookName = Exclude<HookName, ContributionName>

type Handlers = { readonly [N in CalledHookName]?: HookHandler<N> }
type Experimental = { readonly [N in CalledHookName as `experimental.${N}`]?: HookHandler<N> }

/**
 * Tools by name, of letters, digits, `_` and `-`, at most 64. One with the name of a built-in tool replaces it, unless
 * it is deferrable. `undefined`, `null` and `false` are passed over; what else is no tool is reported and left out.
 */
export type PluginTools = Readonly<Record<string, OfferedTool | NoTool>>

/** For whom tools are asked. */
export interface ToolScope {
  readonly sessionID: SessionID
  readonly rootSessionID: SessionID
  readonly agent?: string
  readonly model?: ModelRef
  /** Both are absolute; `worktree` is the git work tree's root, or the directory outside of git. */
  readonly directory: string
  readonly worktree: string
  /** Aborts when nobody waits for the tools any more. */
  readonly signal: AbortSignal
}

/** A command that a plugin offers beside those of files. */
export interface PluginCommand {
  readonly name: string
  readonly description?: string
  /** Names of its arguments, in their order. */
  readonly hints?: readonly string[]
  readonly agent?: string
  /** `provider/model`. */
  readonly model?: string
  /** The prompt that it stands for; `args` as they were written. */
  expand(args: string, signal: AbortSignal): Promise<readonly PromptPart[]>
}

export interface PluginResource {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mime?: string
}

/** What `@<uri>` in a prompt can name. */
export interface PluginResources {
  list(signal: AbortSignal): Promise<readonly PluginResource[]>
  /** Rejects where there is no such resource. */
  read(uri: string, signal: AbortSignal): Promise<readonly PromptPart[]>
}

/**
 * What a plugin takes part in; may be an instance of a class. Names work with and without `experimental.`; of two
 * handlers of one hook the one without is called. Keys that are no hook are ignored, with a notice.
 */
export interface PluginHooks extends Handlers, Experimental {
  /** Tools, or a function that gives them: called when a run starts, and again at the next step after `changed()`. */
  readonly tool?: PluginTools | ((scope: ToolScope) => Promise<PluginTools> | PluginTools)
  /** Commands that stand beside those of files. */
  readonly command?: () => Promise<readonly PluginCommand[]> | readonly PluginCommand[]
  readonly resource?: PluginResources
  /** How people sign in to a provider; read by the host through `engine.plugins.contributions`. */
  readonly auth?: AuthContribution
  /** Models of a provider; read by the host through `engine.plugins.contributions`. */
  readonly provider?: ProviderContribution
}

/** `E`: the engine, which this folder does not know. */
export interface PluginInput<E> {
  /** Options from the plugin's entry in the configuration. */
  readonly options: Readonly<Record<string, unknown>>
  /** The engine that the plugin is part of. What a plugin asks of it while it starts must not need the plugin itself. */
  readonly engine: E
  /** Says that `tool`, `command` or `resource` would give something else than before: they are read again at the next step. */
  readonly changed: () => void
  /** Tells people something that ends nothing: event `session.notice`. */
  readonly notice: (message: string, sessionID?: SessionID) => void
}

export type Plugin<E> = (input: PluginInput<E>) => Promise<PluginHooks> | PluginHooks

/**
 * A plugin with its place in the order: by priority (higher first), then as given. Who reads plugins from directories
 * gives those of one place in the order of their ids.
 */
export interface PluginEntry<E = never> {
  /** Unique among the plugins of an engine. */
  readonly id: string
  readonly plugin: Plugin<E>
  readonly priority?: number
  readonly options?: Readonly<Record<string, unknown>>
  /** Where in the plugin's files an error was made; undefined where that cannot be told. */
  readonly locate?: (error: unknown) => PluginLine | undefined
}

export interface PluginLine {
  /** Absolute. */
  readonly file: string
  /** From 1. */
  readonly line: number
}

const BRAND = Symbol.for("pawl.plugin")

/** Gives the hooks their types, and marks a module's default export as a plugin of this kind. */
export function definePlugin<E>(plugin: Plugin<E>): Plugin<E> {
  return Object.assign(plugin, { [BRAND]: 1 })
}

/** Whether it was made by `definePlugin`, of whatever copy of this package. */
export function isPawlPlugin(value: unknown): value is Plugin<never> {
  return typeof value === "function" && (value as { [BRAND]?: unknown })[BRAND] === 1
}
