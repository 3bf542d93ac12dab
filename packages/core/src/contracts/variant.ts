import { NotFoundError } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import type { Model, ModelInfo } from "./model.ts"

/** Asked for in place of a variant: none of them, whatever the agent or the session would have. */
export const DEFAULT_VARIANT = "default"

/** What vendors call reasoning efforts, weakest first. */
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

/**
 * The model's variant for one that is wanted: that of the name, else the nearest effort, of two the weaker one.
 * Undefined for none.
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

/** What goes into `settings.options` for it; nothing where the model has no variant like it. */
export function variantOptions(info: Pick<ModelInfo, "variants">, wanted: string | undefined): JSONObject {
  const name = variantFor(info, wanted)
  return name === undefined ? {} : (info.variants?.[name] ?? {})
}

/** Throws NotFoundError, naming the variants there are, unless the model has this one. */
export function requireVariant({ ref, info }: Pick<Model, "ref" | "info">, name: string): void {
  if (name === DEFAULT_VARIANT || Object.hasOwn(info.variants ?? {}, name)) return
  const names = Object.keys(info.variants ?? {})
  const known = names.length === 0 ? "It has none." : `Known: ${[...names, DEFAULT_VARIANT].join(", ")}.`
  throw new NotFoundError(`Model "${ref.providerID}/${ref.modelID}" has no variant "${name}". ${known}`)
}

/** What a message for the model is stored with, where a variant is wanted that it need not have. */
export function storedVariant(info: Pick<ModelInfo, "variants">, wanted: string | undefined): { variant?: string } {
  const variant = variantFor(info, wanted) ?? (wanted === DEFAULT_VARIANT ? wanted : undefined)
  return variant === undefined ? {} : { variant }
}

/** For people: what becomes of a variant that the model lacks; undefined where nothing changes. */
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
