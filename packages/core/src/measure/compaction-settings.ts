import { matches } from "../base/patterns.ts"
import type { ModelRef } from "../record/message.ts"

/** How full a context may get, and what is done about it. All of it has defaults that fit the model. */
export interface ContextSettings {
  /** Absent: true. False: nothing is compacted unless somebody asks for it. */
  readonly auto?: boolean | undefined
  /** Absent: true. Whether old tool outputs may be cleared. */
  readonly prune?: boolean | undefined
  /** Tokens of the window that are kept free. */
  readonly reserved?: number | undefined
  /** Tokens of the newest turns that stay word for word. */
  readonly preserve_recent_tokens?: number | undefined
  /** At most so many turns stay; 0 or less: none. */
  readonly tail_turns?: number | undefined
  /** The part of the usable window from which on a summary is prepared, 0.1 to 1. */
  readonly soft?: number | undefined
  /** How long the provider keeps a prefix in its cache, in milliseconds. */
  readonly cache_ttl_ms?: number | undefined
}

export interface CompactionSettings extends ContextSettings {
  /** Settings for the models whose "provider/model" a glob of `*` and `?` matches. */
  readonly models?: Readonly<Record<string, ContextSettings>> | undefined
}

/** The settings for one model: of each, what the last matching glob says, else the general one. */
export function settingsFor({ models, ...general }: CompactionSettings, model: ModelRef): ContextSettings {
  const name = `${model.providerID}/${model.modelID}`
  const own = Object.entries(models ?? {}).filter(([glob]) => matches(name, glob))
  return [general, ...own.map(([, settings]) => settings)].reduce(overridden, {})
}

/** An undefined setting says nothing. */
function overridden(settings: ContextSettings, override: ContextSettings): ContextSettings {
  return { ...settings, ...Object.fromEntries(Object.entries(override).filter(([, value]) => value !== undefined)) }
}
