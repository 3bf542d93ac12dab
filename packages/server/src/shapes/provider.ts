import type { InputKind, ModelInfo, Provider } from "@pawl/core/provider"

export type OpenCodeModel = ReturnType<typeof openCodeModel>
export type OpenCodeProvider = Awaited<ReturnType<typeof openCodeProvider>>

/** Converts a model to OpenCode's form. Unknown values get common defaults. */
export function openCodeModel(providerID: string, info: ModelInfo) {
  const { id, name, limit, cost, capabilities, variants = {} } = info
  const { reasoning, attachment, toolCall, temperature = true, input } = capabilities
  const kinds: readonly InputKind[] = input ?? (attachment ? ["text", "image", "pdf"] : ["text"])
  const takes = (kind: InputKind) => kinds.includes(kind)
  return {
    id,
    providerID,
    name,
    api: { id, url: "", npm: "" },
    capabilities: {
      ...{ temperature, reasoning, attachment, toolcall: toolCall },
      input: { text: true, audio: takes("audio"), image: takes("image"), video: takes("video"), pdf: takes("pdf") },
      output: { text: true, audio: false, image: false, video: false, pdf: false },
      interleaved: false,
    },
    cost: { input: cost.input, output: cost.output, cache: { read: cost.cacheRead, write: cost.cacheWrite } },
    limit: { ...limit },
    status: "active" as const,
    options: {},
    headers: {},
    release_date: "",
    variants,
  }
}

/** Converts a provider with its models by id. Without models if listing them fails. */
export async function openCodeProvider(provider: Pick<Provider, "id" | "name" | "models">) {
  const { id, name } = provider
  const models = await provider.models().catch((): readonly ModelInfo[] => [])
  return {
    ...{ id, name, source: "config" as const, env: [] as string[], options: {} },
    models: Object.fromEntries(models.map((info) => [info.id, openCodeModel(id, info)])),
  }
}

/** Adds the fields that models of the provider list had in older versions, which the types of OpenCode's SDK still have. */
export function withOlderFields(provider: OpenCodeProvider) {
  const models = Object.entries(provider.models).map(([id, model]) => {
    const { attachment, reasoning, temperature, toolcall } = model.capabilities
    return [id, { ...model, attachment, reasoning, temperature, tool_call: toolcall }]
  })
  return { ...provider, models: Object.fromEntries(models) as Record<string, OpenCodeModel> }
}

/** Returns the first model of each provider. */
export function defaultModels(providers: readonly OpenCodeProvider[]): Record<string, string> {
  const firsts = providers.flatMap(({ id, models }) =>
    Object.keys(models)
      .slice(0, 1)
      .map((first) => [id, first]),
  )
  return Object.fromEntries(firsts) as Record<string, string>
}
