import { UsageError } from "../arguments/usage-error.ts"
import { type Preset, presets } from "./presets.ts"

/** A vendor whose own API is spoken. */
export type Vendor = "anthropic" | "google" | "openai"

/** Which API a provider speaks. */
export type ProviderKind = Vendor | "openai-compatible"

const kinds: ReadonlyMap<string, ProviderKind> = new Map(
  (["anthropic", "google", "openai", "openai-compatible"] as const).flatMap((kind) => [
    [`@ai-sdk/${kind}`, kind],
    [`@pawl/provider-${kind}`, kind],
  ]),
)

/** The API that a configured package stands for. Throws UsageError for another package. */
export function kindOfPackage(id: string, name: string): ProviderKind {
  const kind = kinds.get(name)
  if (kind !== undefined) return kind
  const known = [...kinds.keys()].filter((each) => each.startsWith("@ai-sdk/")).join(", ")
  throw new UsageError(`Provider "${id}" asks for the package ${name}. Those that can be used: ${known}.`)
}

/**
 * The configured package decides, then the name. Servers that stand in for OpenAI's have Chat Completions, and few
 * have Responses: so at another address `openai` speaks that, unless a package says otherwise.
 */
export function providerKind(id: string, npm: string | undefined, baseURL: string | undefined): ProviderKind {
  if (npm !== undefined) return kindOfPackage(id, npm)
  const preset = presets.find((each) => each.id === id)
  if (preset?.kind === undefined) return "openai-compatible"
  const isElsewhere = baseURL !== undefined && baseURL !== preset.baseURL
  return preset.kind === "openai" && isElsewhere ? "openai-compatible" : preset.kind
}

/** The vendor that a configured package belongs to, as it is known by name. */
export function vendorOfPackage(id: string, npm: string | undefined): Preset | undefined {
  const kind = npm === undefined ? undefined : kindOfPackage(id, npm)
  return presets.find((preset) => preset.kind === kind && kind !== undefined)
}
