// For programs that read, show or copy stored sessions: the stored shapes, and pure readings of them.
export type {
  Session,
  Message,
  UserMessage,
  AssistantMessage,
  MessageWithParts,
  Part,
  PartType,
  TextPart,
  FilePart,
  ToolPart,
  ToolState,
  QuestionPart,
  UsagePart,
  Answer,
  Choice,
  Tokens,
  ModelRef,
  PermissionRule,
} from "./record/message.ts"
export { type SessionID, type MessageID, type PartID, isSessionID } from "./base/ids.ts"
export { type StoredError, toStoredError } from "./base/errors.ts"
export { type JSONObject, type JSONValue, canonicalJSON } from "./base/json.ts"
export { addTokens, noTokens } from "./record/tokens.ts"
export { allTokens, type Spent } from "./record/spent.ts"
export { spentByCall } from "./usage/spent-by-call.ts"
export { spentFor, spentIn } from "./usage/stored-spending.ts"
export { excerpt } from "./record/excerpt.ts"
export { isStoredAgain, isCleared } from "./record/tool-calls.ts"
export { requestedCall } from "./record/requested-call.ts"
export { isAnswered } from "./run/next-action.ts"
export { settledMessage } from "./run/recovery.ts"
export { readAncestors } from "./store/ancestors.ts"
export { createArrangement } from "./record/request-order.ts"
export { createModelMessages } from "./request/model-messages.ts"
export { contextStart, justAfter } from "./record/compaction-record.ts"
