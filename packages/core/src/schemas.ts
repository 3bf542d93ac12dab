// For code that validates: the zod schemas of the stored shapes and of the hooks. Loading it loads zod.
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
export { agentPart, filePart, reasoningPart, subtaskPart, textPart } from "./record/schema/content-parts.ts"
export { assistantMessage, message, userMessage } from "./record/schema/message.ts"
export { part } from "./record/schema/part.ts"
export { answer, answerPart, choice, questionPart } from "./record/schema/question-parts.ts"
export { session, undoneFile } from "./record/schema/session.ts"
export {
  compactionPart,
  patchPart,
  retryPart,
  snapshotPart,
  stepFinishPart,
  stepStartPart,
  usagePart,
} from "./record/schema/step-parts.ts"
export { fileChange, fileImage, toolPart, toolState, uncoveredFile } from "./record/schema/tool-part.ts"
export { hookMap, type HookMap } from "./contracts/hook-map.ts"
