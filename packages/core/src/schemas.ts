export {
  fileDiff,
  messageID,
  modelRef,
  partID,
  permissionRule,
  sessionID,
  storedError,
  tokens,
} from "./session/schema/fields.ts"
export * from "./session/schema/content-parts.ts"
export * from "./session/schema/message.ts"
export * from "./session/schema/part.ts"
export * from "./session/schema/question-parts.ts"
export * from "./session/schema/session.ts"
export * from "./session/schema/step-parts.ts"
export * from "./session/schema/tool-part.ts"
export { hookMap, type HookMap } from "./hooks/hook-map.ts"
