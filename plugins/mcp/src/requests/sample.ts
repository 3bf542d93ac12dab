import type { FileContent, TextContent } from "@pawl/core/provider"
import type { CreateMessageRequest, CreateMessageResult } from "@modelcontextprotocol/sdk/types.js"
import { McpServerError } from "../errors.ts"
import type { ActiveCalls } from "./call-context.ts"

type Params = CreateMessageRequest["params"]
type Block = { readonly type: string; readonly text?: unknown; readonly data?: unknown; readonly mimeType?: unknown }

/** Maximum number of characters of the request that the user sees. */
const MAX_SHOWN_LENGTH = 2000

/**
 * Asks the session's model on behalf of a server. Needs permission, and works only while one of the server's calls
 * runs.
 */
export async function answerSampling(server: string, calls: ActiveCalls, params: Params): Promise<CreateMessageResult> {
  const call = calls.find()
  const { authorize, generate } = call?.context ?? {}
  if (!call || !authorize || !generate) {
    const why = calls.size > 0 ? "its calls of several sessions are under way" : "no call of it is under way"
    throw new McpServerError("not-allowed", server, `Sampling is refused to the MCP server "${server}": ${why}.`)
  }
  const messages = params.messages.map(({ role, content }) => ({ role, content: [content].flat().map(toContent) }))
  const { systemPrompt, maxTokens, temperature } = params
  const said = messages.flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? [part.text] : [])))
  const shown = systemPrompt === undefined ? said : [systemPrompt, ...said]
  const release = call.hold()
  try {
    await authorize({
      permission: "mcp_sampling",
      patterns: [server],
      metadata: { server, prompt: shown.join("\n\n").slice(0, MAX_SHOWN_LENGTH).toWellFormed() },
    })
    const answer = await generate({
      messages,
      maxOutputTokens: maxTokens,
      ...(systemPrompt === undefined ? {} : { system: systemPrompt }),
      ...(temperature === undefined ? {} : { temperature }),
    })
    return {
      role: "assistant",
      model: answer.model.modelID,
      content: { type: "text", text: answer.text },
      stopReason: answer.finish === "length" ? "maxTokens" : "endTurn",
    }
  } finally {
    release()
  }
}

function toContent(block: Block): TextContent | FileContent {
  if (block.type === "text" && typeof block.text === "string") return { type: "text", text: block.text }
  if (typeof block.data === "string" && typeof block.mimeType === "string") {
    return { type: "file", mime: block.mimeType, url: `data:${block.mimeType};base64,${block.data}` }
  }
  return { type: "text", text: JSON.stringify(block) }
}
