import { NotFoundError } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import type { Model, ModelInfo } from "./model.ts"

/** Chosen instead of a variant: uses no variant, even if the agent or the session has one. */
export const DEFAULT_VARIANT = "default"

/** Names of reasoning efforts among vendors, weakest first. */
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

/**
 * Returns the model's variant for the wanted one: the same name, else the nearest effort, of two the weaker one.
 * Undefined if no variant fits.
 */
export function variantFor({ variants = {} }: Pick<ModelInfo, "variants">, wanted: string | undefined) {
  if (wanted === undefined || Object.hasOwn(variants, wanted)) return wanted
  const rank = EFFORTS.indexOf(wanted)
  if (rank < 0) return undefined
  const ranked = Object.keys(variants)
    .map((name) => ({ name, rank: EFFORTS.indexOf(name) }))
    .filter((each) => each.rank >= 0)
  return ranked.toSorted((a, b) => Math.abs(a.rank - rank) - Math.abs(b.rank - rank) || a.rank - b.rank)[0]?.name
}

/** Returns the variant's content for `settings.options`; empty if the model has no similar variant. */
export function variantOptions(info: Pick<ModelInfo, "variants">, wanted: string | undefined): JSONObject {
  const name = variantFor(info, wanted)
  return name === undefined ? {} : (info.variants?.[name] ?? {})
}

/** Throws NotFoundError with the known variants if the model lacks this one. */
export function requireVariant({ ref, info }: Pick<Model, "ref" | "info">, name: string): void {
  if (name === DEFAULT_VARIANT || Object.hasOwn(info.variants ?? {}, name)) return
  const names = Object.keys(info.variants ?? {})
  const known = names.length === 0 ? "It has none." : `Known: ${[...names, DEFAULT_VARIANT].join(", ")}.`
  throw new NotFoundError(`Model "${ref.providerID}/${ref.modelID}" has no variant "${name}". ${known}`)
}

/** Returns the variant to store with a message for the model, which may lack the wanted one. */
export function storedVariant(info: Pick<ModelInfo, "variants">, wanted: string | undefined): { variant?: string } {
  const variant = variantFor(info, wanted) ?? (wanted === DEFAULT_VARIANT ? wanted : undefined)
  return variant === undefined ? {} : { variant }
}

/** Returns a text for the user if the model lacks the variant; undefined if nothing changes. */
export function variantChange(
  { ref, info }: Pick<Model, "ref" | "info">,
  wanted: string | undefined,
): string | undefined {
  if (wanted === undefined || wanted === DEFAULT_VARIANT) return undefined
  const found = variantFor(info, wanted)
  if (found === wanted) return undefined
  const instead = found === undefined ? "none is used" : `"${found}" is used, which is the nearest`
  return `Model "${ref.providerID}/${ref.modelID}" has no variant "${wanted}": ${instead}.`
}
