export {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleFullSession,
  samplePart,
  sampleParts,
  sampleSession,
  sampleText,
  sampleToolStates,
  sampleUserMessage,
  sessionID,
} from "./samples.ts"
export { describeRecord, type RecordDescription, type SessionDescription, storeSamples } from "./fixtures.ts"
export { type Capabilities, type Fixture, type OpenStorage, runSpec, type StorageUnderTest } from "./run-spec.ts"
export type { Need, SpecContext, StoredFixture, Section, Spec, StoredRecord } from "./section.ts"
export { storageSections } from "./sections.ts"
export { type ComparedStorage, checkStorageModel, testStorageModel } from "./model/check-model.ts"
export { testStorage } from "./test-storage.ts"
