import type { Section } from "./section.ts"
import { abort } from "./sections/abort.ts"
import { brokenArguments } from "./sections/broken-arguments.ts"
import { errors } from "./sections/errors.ts"
import { eventOrder } from "./sections/event-order.ts"
import { finishReasons } from "./sections/finish.ts"
import { incomplete } from "./sections/incomplete.ts"
import { images, pdfs } from "./sections/media.ts"
import { cacheMarks, messagePrefix, stablePrefix } from "./sections/prefix.ts"
import { reasoningTexts, signedReasoning } from "./sections/reasoning.ts"
import { requests } from "./sections/requests.ts"
import { streamedArguments } from "./sections/streamed-arguments.ts"
import { toolCalls } from "./sections/tool-calls.ts"
import { unicode } from "./sections/unicode.ts"
import { usageCounts } from "./sections/usage.ts"

/** The whole contract, from what an answer is to what a cache wants. */
export const providerSections: readonly Section[] = [
  eventOrder,
  finishReasons,
  usageCounts,
  toolCalls,
  streamedArguments,
  brokenArguments,
  reasoningTexts,
  signedReasoning,
  unicode,
  abort,
  incomplete,
  errors,
  requests,
  images,
  pdfs,
  stablePrefix,
  messagePrefix,
  cacheMarks,
]
