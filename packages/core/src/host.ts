// For hosts: the functions that an engine takes as options to ask the user, read the workspace, scale images and read outputs.
export type {
  AskPermission,
  AskChoice,
  AskPolicy,
  PermissionRequest,
  PermissionReply,
  PermissionReplyDetails,
  ChoiceRequest,
} from "./contracts/ask.ts"
export type { Choice, Answer, QuestionPart } from "./record/message.ts"
export type {
  WorkspaceReader,
  Instruction,
  Instructions,
  InstructionQuery,
  NestedInstructionQuery,
  ProjectQuery,
} from "./contracts/workspace.ts"
export type { EndedSubagent, SubagentDirectories, SubagentLocation } from "./contracts/subagent-directories.ts"
export type { CallWatch, FileHistory, FoundChanges, RecordedChange, WatchedCall } from "./contracts/file-history.ts"
export type { FileChange, FileDiff, FileImage, UncoveredFile, UndoneFile } from "./record/message.ts"
export type { ResizeImage, ImageBounds } from "./media/resize-image.ts"
export type { OutputFacts, TestRun } from "./contracts/output-facts.ts"
export { messageOf } from "./base/errors.ts"
export { partTime } from "./base/ids.ts"
