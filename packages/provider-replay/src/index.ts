export { type HeardReply, listenedTo, recording, scriptHeader } from "./recording.ts"
export { replayModel, type ReplayOptions } from "./replay-model.ts"
export { replayProvider, type ReplayProviderOptions } from "./replay-provider.ts"
export type { Pace } from "./reply/pace.ts"
export type { Reply, ReplyStep, ScriptedStep, ScriptedUsage } from "./reply/reply.ts"
export { call, fail, finish, reasoning, stall, text, wait } from "./reply/steps.ts"
export { parseScript } from "./script/parse-script.ts"
export { readScript } from "./script/read-script.ts"
export type { Position, Script, ScriptedModelInfo, ScriptHeader } from "./script/script.ts"
export { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from "./scripted-model.ts"
export {
  type CompareRequests,
  createCompareRequests,
  type Normalize,
  type RequestDifference,
} from "./recorded/compare-requests.ts"
export { createRecordingReader } from "./recorded/parse-recording.ts"
export { readRecording, recordingLines } from "./recorded/read-recording.ts"
export {
  NAMELESS,
  type PlayedRequest,
  recordedInfo,
  type RecordedModels,
  recordedModels,
  splitRef,
} from "./recorded/recorded-models.ts"
export {
  type RecordedAgent,
  type RecordedDelivery,
  type RecordedEnd,
  type RecordedOutcome,
  type RecordedPrompt,
  type RecordedReply,
  type RecordedResult,
  type RecordedSession,
  type Recording,
  RECORDING_VERSION,
  type RecordingHeader,
  ROOT,
} from "./recorded/recorded.ts"
export { createRecordingWriter, type PromptLine, type RecordingWriter } from "./recorded/recording-writer.ts"
export { createRequestLog, type RecordedRequest } from "./recorded/request-log.ts"
export type { ReplyLine } from "./script/transcript.ts"
