import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider"
import type { ModelMessage, ModelRequest, ResponseFormat, ToolDefinition } from "@pawl/core/provider"
import { toPrompt } from "./prompt.ts"

/** `separate`: a system message per block. `joined`: one for all blocks. */
export type SystemForm = "separate" | "joined"

/**
 * Adapts a call to a vendor's API, such as marks for its cache or other tool schemas. Returns new options and does not
 * change the given ones, whose parts are reused in later requests.
 */
export type AdaptCall = (options: LanguageModelV4CallOptions, request: ModelRequest) => LanguageModelV4CallOptions

/**
 * Converts requests. Each message is converted once: conversions are cached by the message's identity while it lives.
 */
export function createCallOptions(
  systemForm: SystemForm,
): (request: ModelRequest, optionsKey: string, signal: AbortSignal) => LanguageModelV4CallOptions {
  const converted = new WeakMap<ModelMessage, readonly LanguageModelV4Message[]>()

  function convert(message: ModelMessage): readonly LanguageModelV4Message[] {
    const known = converted.get(message)
    if (known !== undefined) return known
    const prompt = toPrompt(message)
    converted.set(message, prompt)
    return prompt
  }

  return (request, optionsKey, signal) => {
    const { settings, responseFormat } = request
    const prompt = systemMessages(request.system, systemForm)
    // A request may have thousands of messages.
    for (const message of request.messages) for (const converted of convert(message)) prompt.push(converted)
    return {
      prompt,
      tools: request.tools.map(toFunctionTool),
      abortSignal: signal,
      headers: { ...request.headers },
      ...(settings.temperature !== undefined && { temperature: settings.temperature }),
      ...(settings.topP !== undefined && { topP: settings.topP }),
      ...(settings.topK !== undefined && { topK: settings.topK }),
      ...(settings.maxOutputTokens !== undefined && { maxOutputTokens: settings.maxOutputTokens }),
      ...(settings.options !== undefined && {
        providerOptions: { [optionsKey]: settings.options },
      }),
      ...(responseFormat !== undefined && { responseFormat: toResponseFormat(responseFormat) }),
    }
  }
}

function systemMessages(blocks: readonly string[], form: SystemForm): LanguageModelV4Message[] {
  const contents = form === "joined" ? [blocks.join("\n\n")] : blocks
  return contents.filter((content) => content !== "").map((content) => ({ role: "system", content }))
}

function toResponseFormat({ schema, name }: ResponseFormat): NonNullable<LanguageModelV4CallOptions["responseFormat"]> {
  return { type: "json", schema: schema as object, ...(name !== undefined && { name }) }
}

function toFunctionTool({
  name,
  description,
  inputSchema,
}: ToolDefinition): NonNullable<LanguageModelV4CallOptions["tools"]>[number] {
  return { type: "function", name, description, inputSchema: inputSchema as object }
}
