export { modelServer, type ModelServer, type ModelServerOptions } from "./model-server.ts"
export type { RecordedRequest } from "./recorded-request.ts"
export { requestPrefix, type PrefixDifference } from "./request-prefix.ts"
export type { FinishReason, Usage } from "./script/finish.ts"
export type { ErrorKind } from "./script/error-kind.ts"
export {
  contextOverflow,
  httpError,
  overloaded,
  quotaExhausted,
  rateLimit,
  unauthorized,
  type ErrorReply,
  type HttpErrorOptions,
} from "./script/http-error.ts"
export type { ChooseReply, Replies } from "./script/replies.ts"
export { empty, reply, type AnswerReply, type Reply } from "./script/reply.ts"
export { parseScript, readScript, ScriptError } from "./script/script-file.ts"
export {
  badJson,
  call,
  cut,
  deltas,
  end,
  finish,
  pings,
  reasoning,
  stall,
  start,
  streamError,
  text,
  usage,
  wait,
  type Setting,
  type Step,
} from "./script/step.ts"
export { validateAnthropicRequest } from "./wire/anthropic/validate-anthropic-request.ts"
export {
  chatRequest,
  type ChatContentPart,
  type ChatMessage,
  type ChatRequest,
  type ChatTool,
  type ChatToolCall,
} from "./wire/chat/chat-request.ts"
export { validateChatRequest } from "./wire/chat/validate-chat-request.ts"
export { validateGeminiRequest } from "./wire/gemini/validate-gemini-request.ts"
export { validateResponsesRequest } from "./wire/responses/validate-responses-request.ts"
