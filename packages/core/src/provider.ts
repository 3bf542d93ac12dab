// For authors of a provider: the contract of a model, its requests and events, its errors, and readings of files.
export type {
  Provider,
  Model,
  ModelInfo,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  RequestWatch,
  FinishReason,
  FileContent,
  TextContent,
  ToolResultContent,
  ToolDefinition,
  ResponseFormat,
  RejectedFiles,
  MediaLimits,
  InputKind,
  Prices,
  PriceTier,
} from "./contracts/model.ts"
export type { FileLimits, FileTokens, ImageSize, InputRules } from "./contracts/input-rules.ts"
export type { ModelRef, Tokens } from "./record/message.ts"
export {
  ProviderError,
  type ProviderErrorKind,
  PROVIDER_ERROR_KINDS,
  NotFoundError,
  abortError,
  isAbort,
} from "./base/errors.ts"
export { cost } from "./contracts/usage.ts"
export { encodedBytes, readDataURL } from "./measure/data-url.ts"
export { imageSize } from "./measure/image-size.ts"
export type { JSONObject, JSONValue } from "./base/json.ts"
export { DEFAULT_VARIANT, requireVariant } from "./contracts/variant.ts"
export { defaultDeadlines } from "./base/deadlines.ts"
export type { KnownProvider, ProviderOptions, StoredAuth } from "./contracts/sign-in.ts"
