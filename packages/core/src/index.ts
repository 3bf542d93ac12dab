export { createEngine, type Engine } from "./engine.ts"
export type { EngineOptions } from "./engine-deps.ts"
export type { CreateSessionInput, SessionUpdate } from "./session/sessions.ts"
export type { ForkInput } from "./session/fork.ts"
export type { RemoveOptions } from "./session/remove.ts"
export { type Agent, buildAgent, builtinAgents, type Chooser, type Delegation, isFor } from "./agent.ts"
export type { CompactionSettings, ContextSettings } from "./context/tokens/compaction-settings.ts"
export type { CacheBust } from "./context/cache/cache-bust.ts"
export { renderBar } from "./context/cache/window-bar.ts"
export type { WindowShares } from "./context/cache/window-shares.ts"
export type { ContextReport } from "./session/context-report.ts"
export type { PastCompaction } from "./session/past-compactions.ts"
export type { ImageBounds, ResizedImage, ResizeImage } from "./context/media/resize-image.ts"
export type { RepetitionSettings } from "./context/repetition/response.ts"
export { canonicalJSON, type LoopTraits } from "./context/repetition/call-key.ts"
export { isWaitingCommand } from "./context/repetition/waiting-command.ts"
export { type Deadlines, defaultDeadlines } from "./deadlines.ts"
export { nearestName } from "./hooks/nearest.ts"
export type { PromptPart } from "./session/admit.ts"
export type { DeliveryMode } from "./session/waiting.ts"
export type { WaitingPrompt } from "./session/deliver.ts"
export {
  type DayLimits,
  isLimitReached,
  type LimitReached,
  type Limits,
  type LimitScope,
  type RunLimits,
} from "./session/limits.ts"
export { addSpent, allTokens, nothingSpent, type Spent } from "./session/spent.ts"
export { spentFor, spentIn } from "./session/stored-spending.ts"
export { type CallSpent, spentByCall } from "./session/spent-by-call.ts"
export { testRun } from "./context/ledger/failing-tests.ts"
export { createArrangement } from "./context/compaction/arrange.ts"
export { contextStart } from "./context/compaction/record.ts"
export { createModelMessages } from "./session/model-messages.ts"
export { isCleared, isStoredAgain } from "./session/tool-state.ts"
export { isAnswered } from "./session/next-action.ts"
export { settledMessage } from "./session/recovery.ts"
export type { PromptRequest } from "./session/prompting.ts"
export type { RunResult } from "./session/run-result.ts"
export { findProjectID, type ProjectPlace } from "./session/project-id.ts"
export { hiddenLevels, isFileSystemRoot, isInProject, type ProjectBounds } from "./session/project-bounds.ts"
export { findWorktree } from "./session/worktree.ts"
export { readAncestors } from "./session/ancestors.ts"
export {
  type CalledHookName,
  definePlugin,
  type HookHandler,
  type HookInput,
  type HookOutput,
  type Plugin,
  isPawlPlugin,
  type PluginCommand,
  type PluginEntry,
  type PluginHooks,
  type PluginInput,
  type PluginResource,
  type PluginResources,
  type PluginTools,
  type ToolScope,
} from "./hooks/plugin.ts"
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
} from "./hooks/sign-in.ts"
export type { PluginProblem } from "./hooks/plugins.ts"
export type { Contribution, OfferedCommand, PluginControl, PluginReport } from "./hooks/plugin-control.ts"
export type { CallCount } from "./hooks/call-counts.ts"
export type { EngineSettings } from "./settings.ts"
export { COMPACT_COMMAND, compactCommand, compactionProblem } from "./session/compact-command.ts"
export { LimitError } from "./session/ask-for-text.ts"
export type { OfferedTool } from "./tool/offered-tools.ts"
export type { HookName } from "./hooks/hook-map.ts"
export type {
  AskChoice,
  AskPermission,
  AskPolicy,
  ChoiceRequest,
  PermissionReply,
  PermissionRequest,
} from "./permission/ask.ts"
export type { AnswerInput } from "./permission/answer.ts"
export { type CallJudge, type CallJudgement, judgeNeeds, type JudgedNeed } from "./permission/judge-needs.ts"
export { credentialFiles, withPlainSecretNames } from "./permission/credential-files.ts"
export { explainDecision, type LevelExplanation, type PatternExplanation } from "./permission/explain.ts"
export type { PermissionExplanation, SpokenRule } from "./permission/explain.ts"
export type { Question } from "./permission/questions.ts"
export { isNoWider } from "./permission/is-no-wider.ts"
export { permissionRules, type RuleSources } from "./permission/scopes.ts"
export {
  type Ceiling,
  decidePermission,
  type PermissionAction,
  type PermissionDecision,
  type PermissionQuery,
  type PermissionRules,
  type PermissionScope,
  type ScopedRule,
} from "./permission/rules.ts"
export { addTokens, cost, noTokens } from "./provider/usage.ts"
export { DEFAULT_VARIANT, requireVariant, variantChange, variantFor } from "./provider/variant.ts"
export { callNeeds } from "./tool/call-needs.ts"
export { childEnvironment } from "./tool/environment.ts"
export { type OutputLimits, truncate, type Truncated } from "./tool/truncate.ts"
export type { JSONObject, JSONValue } from "./json.ts"
export { createIDSource, type IDSource, isSessionID, type MessageID, type PartID, type SessionID } from "./ids.ts"
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
} from "./errors.ts"
export type { EngineEvent, EventListener, EventMap, EventType, SessionStatus } from "./events.ts"
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
} from "./session/message.ts"
export type {
  BlobStore,
  Change,
  Context,
  GCOptions,
  Lease,
  LeaseHolder,
  LeaseToken,
  LongWork,
  MessageQuery,
  Revision,
  SearchHit,
  SearchQuery,
  SessionChanges,
  SessionQuery,
  Storage,
  StorageProblem,
  StorageStats,
  WatchedChange,
  Write,
} from "./storage/storage.ts"
export { blobReferences } from "./storage/blob-references.ts"
export { excerpt } from "./storage/excerpt.ts"
export { matchesWords, searchText, searchWords } from "./storage/search-text.ts"
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
  ResponseFormat,
  TextContent,
  ToolCallContent,
  ToolDefinition,
  ToolResultContent,
} from "./provider/model.ts"
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
} from "./tool/tool.ts"
export type { CallProcesses } from "./tool/call-processes.ts"
