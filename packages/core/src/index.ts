// For programs that run an engine: make one, prompt it, follow its events. `src/README.md` lists the other entry points.
export { createEngine } from "./create-engine.ts"
export type { Engine } from "./engine.ts"
export type { EngineSession } from "./engine-session.ts"
export { SlowReaderError } from "./sessions/session-events.ts"
export type { EngineOptions } from "./compose.ts"
export type { EngineSettings } from "./settings.ts"
export type { CreateSessionInput, SessionUpdate } from "./sessions/sessions.ts"
export type { PromptRequest } from "./sessions/prompting.ts"
export type { PromptPart } from "./contracts/prompt.ts"
export type { DeliveryMode } from "./record/waiting.ts"
export type { RunResult } from "./run/run-result.ts"
export type { WaitingPrompt } from "./inbox/deliver.ts"
export type { Question } from "./questions/questions.ts"
export type { ContextReport } from "./sessions/context-report.ts"
export type { EngineEvent, EventMap, SessionStatus } from "./contracts/events.ts"
export { type Agent, buildAgent, builtinAgents, isFor } from "./agents/agent.ts"
export type { CompactionSettings } from "./measure/compaction-settings.ts"
export type { Limits, RunLimits, LimitReached } from "./budget/limits.ts"
export type { Deadlines } from "./base/deadlines.ts"
export type { RevertInput, UndoReport } from "./undo/undo-session.ts"
export type { SessionDiff } from "./undo/session-diff.ts"
export { type IDSource, createIDSource, type SessionID } from "./base/ids.ts"
export {
  EmptySessionError,
  NotFoundError,
  SessionBusyError,
  QuestionClosedError,
  UnsuitableAgentError,
} from "./base/errors.ts"
export { compactCommand, COMPACT_COMMAND, compactionProblem } from "./sessions/compact-command.ts"
export type { Session, MessageWithParts, Part, ModelRef } from "./record/message.ts"
