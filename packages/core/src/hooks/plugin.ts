import type { SessionID } from "../base/ids.ts"
import type { PromptPart } from "../contracts/prompt.ts"
import type { ModelRef } from "../record/message.ts"
import type { NoTool, OfferedTool } from "../contracts/offered-tools.ts"
import type { HookMap, HookName } from "../contracts/hook-map.ts"
import type { AuthContribution, ProviderContribution } from "../contracts/sign-in.ts"
import type { HookInput, HookOutput } from "../contracts/hooks.ts"

/**
 * Handles a hook. `input` is frozen. `output` is the handler's own draft: when the handler ends, the engine reads it
 * back and checks it against the hook's row. A returned value replaces the draft.
 */
export type HookHandler<N extends HookName> = (
  input: HookInput<N>,
  output: HookOutput<N>,
) => Promise<HookOutput<N> | void> | HookOutput<N> | void

/** Names of contributions, which are read instead of being called as handlers. */
export type ContributionName = {
  [N in HookName]: HookMap[N]["class"] extends "contribution" ? N : never
}[HookName]

export type CalledHookName = Exclude<HookName, ContributionName>

type Handlers = { readonly [N in CalledHookName]?: HookHandler<N> }
type Experimental = { readonly [N in CalledHookName as `experimental.${N}`]?: HookHandler<N> }

/**
 * Tools by name: letters, digits, `_` and `-`, at most 64. A tool with the name of a built-in one replaces it, unless
 * it is deferrable. `undefined`, `null` and `false` are ignored; other invalid tools are reported and skipped.
 */
export type PluginTools = Readonly<Record<string, OfferedTool | NoTool>>

/** The session that the tools are for. */
export interface ToolScope {
  readonly sessionID: SessionID
  readonly rootSessionID: SessionID
  readonly agent?: string
  readonly model?: ModelRef
  /** Both are absolute. `worktree` is the root of the git work tree, or the directory outside of git. */
  readonly directory: string
  readonly worktree: string
  /** Aborts when the tools are no longer needed. */
  readonly signal: AbortSignal
}

/** A command that a plugin offers in addition to those from files. */
export interface PluginCommand {
  readonly name: string
  readonly description?: string
  /** Names of its arguments, in order. */
  readonly hints?: readonly string[]
  readonly agent?: string
  /** `provider/model`. */
  readonly model?: string
  /** Returns the prompt of the command. `args`: the unparsed arguments. */
  expand(args: string, signal: AbortSignal): Promise<readonly PromptPart[]>
}

export interface PluginResource {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mime?: string
}

/** Resources that `@<uri>` in a prompt can name. */
export interface PluginResources {
  list(signal: AbortSignal): Promise<readonly PluginResource[]>
  /** Reads a resource. Rejects if it does not exist. */
  read(uri: string, signal: AbortSignal): Promise<readonly PromptPart[]>
}

/**
 * The hooks and contributions of a plugin; may be an instance of a class. Names work with and without `experimental.`;
 * if a hook has both, the one without is called. Unknown keys are ignored, with a notice.
 */
export interface PluginHooks extends Handlers, Experimental {
  /** Tools, or a function that returns them. Called when a run starts, and again at the next step after `changed()`. */
  readonly tool?: PluginTools | ((scope: ToolScope) => Promise<PluginTools> | PluginTools)
  /** Commands in addition to those from files. */
  readonly command?: () => Promise<readonly PluginCommand[]> | readonly PluginCommand[]
  readonly resource?: PluginResources
  /** Ways to sign in to a provider. The host reads them through `engine.plugins.contributions`. */
  readonly auth?: AuthContribution
  /** Models of a provider. The host reads them through `engine.plugins.contributions`. */
  readonly provider?: ProviderContribution
}

/** Input of a plugin. `E`: the type of the engine, which this folder does not know. */
export interface PluginInput<E> {
  /** Options from the plugin's entry in the configuration. */
  readonly options: Readonly<Record<string, unknown>>
  /** The engine of the plugin. Calls during the plugin's start must not need the plugin itself. */
  readonly engine: E
  /** Reports that `tool`, `command` or `resource` have changed: they are read again at the next step. */
  readonly changed: () => void
  /** Notifies the user of something that ends no work: event `session.notice`. */
  readonly notice: (message: string, sessionID?: SessionID) => void
  /** Reports a mistake in a hook of this plugin: event `plugin.error`. `pawl plugin doctor` then exits with 1. */
  readonly problem: (hook: string, message: string) => void
}

export type Plugin<E> = (input: PluginInput<E>) => Promise<PluginHooks> | PluginHooks

/**
 * A plugin with its position: by priority (higher first), then in the given order. Callers that read plugins from
 * directories should sort those of one directory by id.
 */
export interface PluginEntry<E = never> {
  /** Unique among the plugins of an engine. */
  readonly id: string
  readonly plugin: Plugin<E>
  readonly priority?: number
  readonly options?: Readonly<Record<string, unknown>>
  /** Returns where in the plugin's files an error was thrown; undefined if that is unknown. */
  readonly locate?: (error: unknown) => PluginLine | undefined
}

export interface PluginLine {
  /** Absolute path. */
  readonly file: string
  /** Number of the line, from 1. */
  readonly line: number
}

const BRAND = Symbol.for("pawl.plugin")

/** Types the hooks, and marks a module's default export as a plugin of this kind. */
export function definePlugin<E>(plugin: Plugin<E>): Plugin<E> {
  return Object.assign(plugin, { [BRAND]: 1 })
}

/** Returns whether a value was made by `definePlugin`, of any copy of this package. */
export function isPawlPlugin(value: unknown): value is Plugin<never> {
  return typeof value === "function" && (value as { [BRAND]?: unknown })[BRAND] === 1
}
