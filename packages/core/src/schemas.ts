export {
  fileDiff,
  messageID,
  modelRef,
  partID,
  permissionRule,
  sessionID,
  storedError,
  tokens,
} from "./record/schema/fields.ts"
export * from "./record/schema/content-parts.ts"
export * from "./record/schema/message.ts"
export * from "./record/schema/part.ts"
export * from "./record/schema/question-parts.ts"
export * from "./record/schema/session.ts"
export * from "./record/schema/step-parts.ts"
export * from "./record/schema/tool-part.ts"
export { hookMap, type HookMap } from "./contracts/hook-map.ts"
