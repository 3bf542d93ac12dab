import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { ModelServer } from "../src/index.ts"
import { anthropicModel, messagesBody, postMessages } from "./anthropic-client.ts"
import { chatBody, post } from "./chat-client.ts"
import { geminiBody, geminiModel, postGemini } from "./google-client.ts"
import { chatModel, postResponses, responsesBody, responsesModel } from "./openai-client.ts"

/** One wire format as its vendor's own client and a bare request reach it. */
export interface Vendor {
  readonly name: string
  readonly model: (server: ModelServer) => LanguageModelV4
  /** What makes the vendor's model think, and its client keep what comes of it. */
  readonly thinking: NonNullable<LanguageModelV4CallOptions["providerOptions"]>
  readonly post: (server: ModelServer, options: { stream: boolean; init?: RequestInit }) => Promise<Response>
  /** A body that the API refuses. */
  readonly refused: (server: ModelServer) => Promise<Response>
}

export const chat: Vendor = {
  name: "OpenAI Chat",
  model: (server) => chatModel(server),
  thinking: {},
  post: (server, { stream, init }) => post(server, chatBody({ stream }), init),
  refused: (server) => post(server, chatBody({ messages: [] })),
}

export const responses: Vendor = {
  name: "OpenAI Responses",
  model: (server) => responsesModel(server),
  thinking: { openai: { store: false, reasoningSummary: "auto" } },
  post: (server, { stream, init }) => postResponses(server, responsesBody({ stream }), init),
  refused: (server) => postResponses(server, responsesBody({ input: [] })),
}

export const anthropic: Vendor = {
  name: "Anthropic",
  model: (server) => anthropicModel(server),
  thinking: { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } },
  post: (server, { stream, init }) => postMessages(server, messagesBody({ stream }), init),
  refused: (server) => postMessages(server, messagesBody({ messages: [] })),
}

export const gemini: Vendor = {
  name: "Gemini",
  model: (server) => geminiModel(server),
  thinking: { google: { thinkingConfig: { includeThoughts: true } } },
  post: (server, { stream, init }) =>
    postGemini(server, geminiBody(), stream ? "streamGenerateContent?alt=sse" : "generateContent", init),
  refused: (server) => postGemini(server, geminiBody({ contents: [] })),
}
