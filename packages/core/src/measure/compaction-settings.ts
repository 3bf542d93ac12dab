import { matches } from "../base/patterns.ts"
import type { ModelRef } from "../record/message.ts"

/** Settings for the size of a context. All have defaults that fit the model. */
export interface ContextSettings {
  /** Compacts automatically. If false, only on request. Default: true. */
  readonly auto?: boolean | undefined
  /** Allows clearing old tool outputs. Default: true. */
  readonly prune?: boolean | undefined
  /** Tokens of the window to keep free. */
  readonly reserved?: number | undefined
  /** Tokens of the newest turns that stay word for word. */
  readonly preserve_recent_tokens?: number | undefined
  /** Maximum number of turns that stay; 0 or less keeps no turns. */
  readonly tail_turns?: number | undefined
  /** Share of the usable window at which a summary is prepared, 0.1 to 1. */
  readonly soft?: number | undefined
  /** Milliseconds that the provider caches a prefix. */
  readonly cache_ttl_ms?: number | undefined
}

export interface CompactionSettings extends ContextSettings {
  /** Settings for the models whose "provider/model" a glob of `*` and `?` matches. */
  readonly models?: Readonly<Record<string, ContextSettings>> | undefined
}

/** Returns the settings for one model. For each setting, the last matching glob decides, else the general value. */
export function settingsFor({ models, ...general }: CompactionSettings, model: ModelRef): ContextSettings {
  const name = `${model.providerID}/${model.modelID}`
  const own = Object.entries(models ?? {}).filter(([glob]) => matches(name, glob))
  return [general, ...own.map(([, settings]) => settings)].reduce(overridden, {})
}

/** Overrides the defined settings only. */
function overridden(settings: ContextSettings, override: ContextSettings): ContextSettings {
  return { ...settings, ...Object.fromEntries(Object.entries(override).filter(([, value]) => value !== undefined)) }
}
