import type { FileContent, ModelInfo, ModelMessage, ModelRequest, TextContent } from "../contracts/model.ts"

/**
 * Fits requests to the capabilities of a model. Leaves out a temperature that the model refuses. A model without tools
 * reads calls and results of other models as text. The same message gives the same value.
 */
export function createCapabilityFitter(): (request: ModelRequest, info: ModelInfo) => ModelRequest {
  const written = new WeakMap<ModelMessage, ModelMessage>()

  function asText(message: ModelMessage): ModelMessage {
    let converted = written.get(message)
    if (!converted) written.set(message, (converted = withoutCalls(message)))
    return converted
  }

  return (request, { capabilities: { toolCall, temperature } }) => {
    const { temperature: set, ...settings } = request.settings
    const accepted = set !== undefined && temperature === false ? { ...request, settings } : request
    if (toolCall) return accepted
    return { ...accepted, tools: [], messages: accepted.messages.map(asText) }
  }
}

function withoutCalls(message: ModelMessage): ModelMessage {
  if (message.role === "user") return message
  if (message.role === "assistant") {
    if (message.content.every(({ type }) => type !== "tool-call")) return message
    const content = message.content.map((item) => {
      if (item.type !== "tool-call") return item
      return text(`[Called the tool ${item.name}: ${JSON.stringify(item.input)}]`)
    })
    return { role: "assistant", content }
  }
  const content = message.content.flatMap(({ name, output, isError, attachments = [] }) => {
    const result = text(`[${isError ? "Error" : "Result"} of the tool ${name}]\n${output}`)
    return [result, ...attachments] satisfies (TextContent | FileContent)[]
  })
  return { role: "user", content }
}

function text(words: string): TextContent {
  return { type: "text", text: words }
}
