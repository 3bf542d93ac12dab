import { z } from "zod"
import { agentPart, filePart, reasoningPart, subtaskPart, textPart } from "./content-parts.ts"
import { answerPart, questionPart } from "./question-parts.ts"
import {
  compactionPart,
  patchPart,
  retryPart,
  snapshotPart,
  stepFinishPart,
  stepStartPart,
  usagePart,
} from "./step-parts.ts"
import { toolPart } from "./tool-part.ts"

export const part = z.discriminatedUnion("type", [
  textPart,
  reasoningPart,
  filePart,
  toolPart,
  stepStartPart,
  stepFinishPart,
  snapshotPart,
  patchPart,
  agentPart,
  subtaskPart,
  retryPart,
  compactionPart,
  usagePart,
  questionPart,
  answerPart,
])
