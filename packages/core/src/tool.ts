// For authors of a tool: the contract, the context of a call, and decisions about paths, outputs and child processes.
export {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolResult,
  type ToolLocation,
  type Effect,
  type PermissionNeed,
  type FileRecorder,
  type SubagentTask,
  type SubagentResult,
} from "./contracts/tool.ts"
export { ToolInputError, messageOf } from "./base/errors.ts"
export type { FileContent } from "./contracts/model.ts"
export type { Choice } from "./record/message.ts"
export { type JSONObject, type JSONValue, canonicalJSON } from "./base/json.ts"
export type { MessageID, PartID, SessionID } from "./base/ids.ts"
export { childEnvironment } from "./contracts/environment.ts"
export { truncate, type OutputLimits } from "./measure/truncate.ts"
export { isInProject, type ProjectBounds, hiddenLevels, isFileSystemRoot } from "./record/project-bounds.ts"
export {
  credentialDirectories,
  credentialFiles,
  holdsSecrets,
  isCredentialPath,
  withPlainSecretNames,
} from "./permission/credential-files.ts"
