import type { z } from "zod"
import type { agentPart, filePart, reasoningPart, subtaskPart, textPart } from "./schema/content-parts.ts"
import type { fileDiff, modelRef, permissionRule, tokens } from "./schema/fields.ts"
import type { assistantMessage, message, userMessage } from "./schema/message.ts"
import type { part } from "./schema/part.ts"
import type { answer, answerPart, choice, questionPart } from "./schema/question-parts.ts"
import type { session, undoneFile, undoStep } from "./schema/session.ts"
import type {
  compactionPart,
  patchPart,
  retryPart,
  stepFinishPart,
  stepStartPart,
  usagePart,
} from "./schema/step-parts.ts"
import type { fileChange, fileImage, toolPart, toolState, uncoveredFile } from "./schema/tool-part.ts"

// Stored shapes. Only validators of foreign input load their schemas in `schema/`: loading zod costs more than the rest
// of core.

export type ModelRef = z.infer<typeof modelRef>
export type Tokens = z.infer<typeof tokens>
export type PermissionRule = z.infer<typeof permissionRule>
export type Session = z.infer<typeof session>
export type UserMessage = z.infer<typeof userMessage>
export type AssistantMessage = z.infer<typeof assistantMessage>
export type Message = z.infer<typeof message>
export type TextPart = z.infer<typeof textPart>
export type ReasoningPart = z.infer<typeof reasoningPart>
export type FilePart = z.infer<typeof filePart>
export type ToolState = z.infer<typeof toolState>
export type ToolPart = z.infer<typeof toolPart>
export type Part = z.infer<typeof part>
export type StepStartPart = z.infer<typeof stepStartPart>
export type StepFinishPart = z.infer<typeof stepFinishPart>
export type PatchPart = z.infer<typeof patchPart>
export type RetryPart = z.infer<typeof retryPart>
export type UsagePart = z.infer<typeof usagePart>
export type CompactionPart = z.infer<typeof compactionPart>
export type FileChange = z.infer<typeof fileChange>
export type FileImage = z.infer<typeof fileImage>
export type FileDiff = z.infer<typeof fileDiff>
export type UncoveredFile = z.infer<typeof uncoveredFile>
export type UndoneFile = z.infer<typeof undoneFile>
export type UndoStep = z.infer<typeof undoStep>
export type Choice = z.infer<typeof choice>
export type Answer = z.infer<typeof answer>
export type QuestionPart = z.infer<typeof questionPart>
export type AnswerPart = z.infer<typeof answerPart>
export type AgentPart = z.infer<typeof agentPart>
export type SubtaskPart = z.infer<typeof subtaskPart>
export type PartType = Part["type"]

/** A message with its parts, oldest part first. Treated as a value: a change makes a new one. */
export interface MessageWithParts<M extends Message = Message> {
  readonly info: M
  readonly parts: readonly Part[]
}

export function isUser(message: MessageWithParts): message is MessageWithParts<UserMessage> {
  return message.info.role === "user"
}

export function isAssistant(message: MessageWithParts): message is MessageWithParts<AssistantMessage> {
  return message.info.role === "assistant"
}

export function isSameModel(a: ModelRef, b: ModelRef): boolean {
  return a.providerID === b.providerID && a.modelID === b.modelID
}

export function modelName({ providerID, modelID }: ModelRef): string {
  return `${providerID}/${modelID}`
}

/** Returns whether a file is media. Text files and directories are already written out as text beside the file part. */
export function isMedia(part: Pick<FilePart, "mime">): boolean {
  return part.mime !== "text/plain" && part.mime !== "application/x-directory"
}

export type PermissionAction = PermissionRule["action"]
