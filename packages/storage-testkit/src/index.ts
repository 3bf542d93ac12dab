export {
  messageID,
  partID,
  sampleAssistantMessage,
  samplePart,
  sampleParts,
  sampleSession,
  sampleText,
  sampleToolStates,
  sampleUserMessage,
  sessionID,
} from "./samples.ts"
export type { Place, Section, Spec } from "./section.ts"
export { storageSections } from "./sections.ts"
export { runSpec, type StorageUnderTest, testStorage } from "./test-storage.ts"
