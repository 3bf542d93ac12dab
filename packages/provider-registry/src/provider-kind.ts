import { type Preset, presets, type Vendor } from "./presets.ts"

/** The API of a provider. `package` is the API of an installed package. */
export type ProviderKind = Vendor | "openai-compatible" | "package"

const kinds: ReadonlyMap<string, Exclude<ProviderKind, "package">> = new Map(
  (["anthropic", "google", "openai", "openai-compatible"] as const).flatMap((kind) => [
    [`@ai-sdk/${kind}`, kind],
    [`@pawl/provider-${kind}`, kind],
  ]),
)

/** The API that a configured package stands for. pawl has its own version of some, whichever is named. */
export function kindOfPackage(name: string): ProviderKind {
  return kinds.get(name.replace(/(?<=.)@[^/]*$/, "")) ?? "package"
}

/** Returns true if the package is not part of pawl. */
export function isForeign(npm: string | undefined): boolean {
  return npm !== undefined && kindOfPackage(npm) === "package"
}

/**
 * The configured package decides, then the name. Servers that stand in for OpenAI's have Chat Completions, and few
 * have Responses: so at another address `openai` speaks that, unless a package says otherwise.
 */
export function providerKind(id: string, npm: string | undefined, baseURL: string | undefined): ProviderKind {
  if (npm !== undefined) return kindOfPackage(npm)
  const preset = presets.find((each) => each.id === id)
  if (preset?.kind === undefined) return "openai-compatible"
  const isElsewhere = baseURL !== undefined && baseURL !== preset.baseURL
  return preset.kind === "openai" && isElsewhere ? "openai-compatible" : preset.kind
}

/** The vendor that a configured package belongs to, as it is known by name. */
export function vendorOfPackage(npm: string | undefined): Preset | undefined {
  const kind = npm === undefined ? undefined : kindOfPackage(npm)
  return presets.find((preset) => preset.kind === kind && kind !== undefined)
}
