export { type Engine } from "./engine.ts"
export { createEngine } from "./create-engine.ts"
export type { EngineOptions } from "./compose.ts"
export type { CreateSessionInput, SessionUpdate } from "./sessions/sessions.ts"
export type { ForkInput } from "./sessions/fork.ts"
export type { RemoveOptions } from "./sessions/remove.ts"
export { type Agent, buildAgent, builtinAgents, type Chooser, type Delegation, isFor } from "./agents/agent.ts"
export type { CompactionSettings, ContextSettings } from "./measure/compaction-settings.ts"
export type { CacheBust } from "./contracts/cache-bust.ts"
export type { WindowShares } from "./cache/window-shares.ts"
export type { ContextReport } from "./sessions/context-report.ts"
export type { PastCompaction } from "./sessions/past-compactions.ts"
export type { ImageBounds, ResizedImage, ResizeImage } from "./media/resize-image.ts"
export type { RepetitionSettings } from "./repetition/response.ts"
export { type LoopTraits } from "./contracts/tool.ts"
export { canonicalJSON } from "./base/json.ts"
export { type Deadlines, defaultDeadlines } from "./base/deadlines.ts"
export { kindOf } from "./base/kind-of.ts"
export { unknownHooks } from "./hooks/hook-names.ts"
export type { PromptPart } from "./contracts/prompt.ts"
export type { DeliveryMode } from "./record/waiting.ts"
export type { WaitingPrompt } from "./inbox/deliver.ts"
export {
  type DayLimits,
  isLimitReached,
  type LimitReached,
  type Limits,
  type LimitScope,
  type RunLimits,
} from "./budget/limits.ts"
export { addSpent, allTokens, nothingSpent, type Spent } from "./record/spent.ts"
export { spentFor, spentIn } from "./usage/stored-spending.ts"
export { type CallSpent, spentByCall } from "./usage/spent-by-call.ts"
export type { OutputFacts, TestRun } from "./contracts/output-facts.ts"
export { createArrangement } from "./record/request-order.ts"
export { contextStart } from "./record/compaction-record.ts"
export { createModelMessages } from "./request/model-messages.ts"
export { isCleared, isStoredAgain } from "./record/tool-calls.ts"
export { isAnswered } from "./run/next-action.ts"
export { settledMessage } from "./run/recovery.ts"
export type { PromptRequest } from "./sessions/prompting.ts"
export type { RunResult } from "./run/run-result.ts"
export { hiddenLevels, isFileSystemRoot, isInProject, type ProjectBounds } from "./record/project-bounds.ts"
export type {
  Instruction,
  InstructionPlaces,
  Instructions,
  NestedPlace,
  ProjectPlace,
  WorkspaceReader,
} from "./contracts/workspace.ts"
export { readAncestors } from "./store/ancestors.ts"
export {
  type CalledHookName,
  type HookHandler,
  type PluginCommand,
  type PluginHooks,
  type PluginResource,
  type PluginResources,
  type PluginTools,
  type ToolScope,
} from "./hooks/plugin.ts"
export { definePlugin, type Plugin, isPawlPlugin, type PluginEntry, type PluginInput } from "./plugin.ts"
export { type HookInput, type HookOutput } from "./contracts/hooks.ts"
export type {
  AuthContribution,
  AuthInputs,
  AuthMethod,
  AuthOutcome,
  AuthPrompt,
  KnownProvider,
  OAuthStart,
  ProviderContribution,
  ProviderOptions,
  StoredAuth,
} from "./contracts/sign-in.ts"
export type { PluginProblem } from "./hooks/plugins.ts"
export type { Contribution, OfferedCommand, PluginControl, PluginReport } from "./hooks/plugin-control.ts"
export type { CallCount } from "./hooks/call-counts.ts"
export type { EngineSettings } from "./settings.ts"
export { COMPACT_COMMAND, compactCommand, compactionProblem } from "./sessions/compact-command.ts"
export { LimitError } from "./request/ask-for-text.ts"
export type { OfferedTool } from "./contracts/offered-tools.ts"
export type { HookName } from "./contracts/hook-map.ts"
export type {
  AskChoice,
  AskPermission,
  AskPolicy,
  ChoiceRequest,
  PermissionReply,
  PermissionRequest,
} from "./contracts/ask.ts"
export type { AnswerInput } from "./questions/answer.ts"
export { type CallJudge, type CallJudgement, judgeNeeds, type JudgedNeed } from "./permission/judge-needs.ts"
export {
  credentialDirectories,
  credentialFiles,
  holdsSecrets,
  isCredentialPath,
  withPlainSecretNames,
} from "./permission/credential-files.ts"
export { explainDecision, type LevelExplanation, type PatternExplanation } from "./permission/explain.ts"
export type { PermissionExplanation, SpokenRule } from "./permission/explain.ts"
export type { Question } from "./questions/questions.ts"
export { isNoWider } from "./permission/is-no-wider.ts"
export { permissionRules, type RuleSources } from "./permission/scopes.ts"
export {
  type Ceiling,
  decidePermission,
  type PermissionDecision,
  type PermissionQuery,
  type PermissionRules,
  type PermissionScope,
  type ScopedRule,
} from "./permission/rules.ts"
export { type PermissionAction } from "./record/message.ts"
export { cost } from "./contracts/usage.ts"
export { addTokens, noTokens } from "./record/tokens.ts"
export { DEFAULT_VARIANT, requireVariant, variantChange, variantFor } from "./contracts/variant.ts"
export { callNeeds } from "./contracts/call-needs.ts"
export { childEnvironment } from "./contracts/environment.ts"
export { encodedBytes, readDataURL } from "./measure/data-url.ts"
export { imageSize } from "./measure/image-size.ts"
export { type OutputLimits, truncate, type Truncated } from "./measure/truncate.ts"
export type { JSONObject, JSONValue } from "./base/json.ts"
export { createIDSource, type IDSource, isSessionID, type MessageID, type PartID, type SessionID } from "./base/ids.ts"
export {
  abortError,
  DelegationError,
  EmptySessionError,
  HookError,
  isAbort,
  messageOf,
  NotFoundError,
  PermissionDeniedError,
  ProviderError,
  type ProviderErrorDetails,
  PROVIDER_ERROR_KINDS,
  type ProviderErrorKind,
  QuestionClosedError,
  type Refusal,
  type RefusingRule,
  SessionBusyError,
  StaleLeaseError,
  StorageError,
  type StoredError,
  ToolInputError,
  toStoredError,
  UnansweredError,
  UnsuitableAgentError,
} from "./base/errors.ts"
export type { EngineEvent, EventListener, EventMap, EventType, SessionStatus } from "./contracts/events.ts"
export type {
  AssistantMessage,
  FilePart,
  Message,
  MessageWithParts,
  ModelRef,
  Part,
  PartType,
  PermissionRule,
  ReasoningPart,
  Session,
  TextPart,
  Tokens,
  ToolPart,
  ToolState,
  UsagePart,
  UserMessage,
  Answer,
  AgentPart,
  AnswerPart,
  Choice,
  FileChange,
  FileImage,
  QuestionPart,
  SubtaskPart,
} from "./record/message.ts"
export type {
  BlobStore,
  Change,
  Context,
  GCOptions,
  Lease,
  LeaseToken,
  LongWork,
  MaintainedStorage,
  MessageQuery,
  Revision,
  SearchHit,
  SearchQuery,
  SessionChanges,
  SessionQuery,
  Storage,
  StorageMaintenance,
  StorageProblem,
  StorageStats,
  WatchedChange,
  Write,
} from "./contracts/storage.ts"
export type { LeaseHolder } from "./base/errors.ts"
export { blobReferences } from "./record/blob-references.ts"
export { excerpt } from "./record/excerpt.ts"
export { matchesWords, searchText, searchWords } from "./record/search-text.ts"
export type {
  FileContent,
  FinishReason,
  InputKind,
  MediaLimits,
  Model,
  ModelEvent,
  ModelInfo,
  ModelMessage,
  ModelRequest,
  RequestWatch,
  ModelSettings,
  Prices,
  PriceTier,
  Provider,
  ReasoningContent,
  RejectedFiles,
  ResponseFormat,
  TextContent,
  ToolCallContent,
  ToolDefinition,
  ToolResultContent,
} from "./contracts/model.ts"
export {
  defineTool,
  type Generated,
  type GenerateRequest,
  type Effect,
  type FileRecorder,
  type PermissionNeed,
  type SubagentResult,
  type SubagentTask,
  type Tool,
  type JudgeRead,
  type ToolContext,
  type ToolPlace,
  type ToolResult,
} from "./contracts/tool.ts"
export type { CallProcesses } from "./contracts/call-processes.ts"
