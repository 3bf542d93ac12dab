import type { FileContent, ModelEvent, ModelMessage, ModelRequest, ToolDefinition } from "@pawl/core/provider"

/** A tool with all that is usual in a schema. */
export const sampleTool: ToolDefinition = {
  name: "read",
  description: "Reads a file.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "Which file." },
      offset: { type: "integer", minimum: 0 },
      mode: { type: "string", enum: ["text", "bytes"] },
    },
    required: ["path"],
    additionalProperties: false,
  },
}

/** An image of one pixel. */
export const samplePNG: FileContent = {
  type: "file",
  mime: "image/png",
  filename: "dot.png",
  url: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
}

/** The beginning and the end of one, which no server here looks into. */
export const samplePDF: FileContent = {
  type: "file",
  mime: "application/pdf",
  filename: "page.pdf",
  url: `data:application/pdf;base64,${Buffer.from("%PDF-1.4\n%%EOF\n").toString("base64")}`,
}

export function user(...content: readonly (string | FileContent)[]): ModelMessage {
  return {
    role: "user",
    content: content.map((part) => (typeof part === "string" ? { type: "text", text: part } : part)),
  }
}

/** "Hello" to a model with one tool. */
export function sampleRequest(partial: Partial<ModelRequest> = {}): ModelRequest {
  return {
    sessionID: "ses_1",
    system: ["You are a test."],
    messages: [user("Hello")],
    tools: [sampleTool],
    settings: {},
    headers: {},
    ...partial,
  }
}

/**
 * Returns the messages that an engine stores for an answer and sends with the next request: the assistant's message, and
 * a message with a result for each of its calls.
 */
export function toHistory(events: readonly ModelEvent[], output = "Done."): ModelMessage[] {
  const content: Extract<ModelMessage, { role: "assistant" }>["content"][number][] = []
  const texts = new Map<string, string>()
  for (const event of events) {
    if (event.type === "text-delta" || event.type === "reasoning-delta") {
      texts.set(event.id, (texts.get(event.id) ?? "") + event.text)
    }
    if (event.type === "text-end") content.push({ type: "text", text: texts.get(event.id) ?? "" })
    if (event.type === "reasoning-end") {
      content.push({ type: "reasoning", text: texts.get(event.id) ?? "", metadata: event.metadata })
    }
    if (event.type === "text-end" || event.type === "reasoning-end") texts.delete(event.id)
    if (event.type === "tool-call") {
      const { id: callID, name, input, metadata } = event
      content.push({ type: "tool-call", callID, name, input: JSON.parse(input) as never, metadata })
    }
  }
  const order = (type: string) => ["reasoning", "text", "tool-call"].indexOf(type)
  const sorted = content.toSorted((a, b) => order(a.type) - order(b.type))
  const results = content.flatMap((part) =>
    part.type === "tool-call"
      ? [{ type: "tool-result", callID: part.callID, name: part.name, output, isError: false } as const]
      : [],
  )
  return [
    { role: "assistant", content: sorted },
    ...(results.length > 0 ? [{ role: "tool", content: results } as const] : []),
  ]
}
