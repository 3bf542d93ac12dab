import {
  type MessageWithParts,
  type Part,
  type QuestionPart,
  requestedCall,
  type Session,
  type UserMessage,
} from "@pawl/core/record"
import { wrap } from "./flow.ts"
import { plainLine, plainText } from "@pawl/plain-text"
import { answerWords, questionSubject } from "./question-lines.ts"
import { toolLines, type ToolLinesLayout } from "./tool-lines.ts"

/**
 * A session as it would have been shown while it was worked on: the lines of its head, then those of each message. Messages
 * oldest first. Blank lines set texts apart, never two of them, and none at the end.
 */
export async function* transcriptOf(
  session: Session,
  messages: AsyncIterable<MessageWithParts> | Iterable<MessageWithParts>,
  layout: ToolLinesLayout,
): AsyncGenerator<readonly string[]> {
  let isApart = false
  function withoutGaps(lines: readonly string[]): string[] {
    return lines.flatMap((line) => {
      const before = isApart && line !== "" ? [""] : []
      isApart = line === ""
      return isApart ? [] : [...before, line]
    })
  }
  yield headLines(session, layout)
  let isMarked = false
  for await (const message of messages) {
    const isUndone = session.revert !== undefined && message.info.id >= session.revert.messageID
    const mark = isUndone && !isMarked ? ["", layout.theme.warn(UNDONE), ""] : []
    isMarked ||= isUndone
    yield withoutGaps([...mark, ...messageLines(message, layout)])
  }
}

const UNDONE = "── undone from here on; until the next prompt, pawl redo takes it back ──"

function headLines(
  { id, title, directory, time, model, variant }: Session,
  { theme, columns }: ToolLinesLayout,
): string[] {
  const facts = [
    id,
    plainLine(directory),
    new Date(time.created).toLocaleString(),
    ...(model ? [plainLine([`${model.providerID}/${model.modelID}`, variant ?? ""].join(" ").trim())] : []),
  ]
  return [
    ...wrap(plainLine(title), columns).map((line) => theme.strong(line)),
    ...wrap(facts.join(" · "), columns).map((line) => theme.faint(line)),
  ]
}

function messageLines(message: MessageWithParts, layout: ToolLinesLayout): string[] {
  const { info, parts } = message
  const { theme, columns } = layout
  const call = requestedCall(message)
  if (call) {
    const command = call.input["command"]
    return promptLines(`!${typeof command === "string" ? command : call.tool}`, layout)
  }
  const linesOf = info.role === "user" ? userLines : info.summary ? summaryLines : assistantLines
  const lines = [
    ...parts.flatMap((part) => linesOf(part, layout)),
    ...(info.role === "user" ? cameLines(info, layout) : []),
  ]
  if (info.role !== "assistant" || !info.error) return lines
  return [...lines, ...wrap(`✗ ${plainText(info.error.data.message)}`, columns).map((line) => theme.bad(line))]
}

function promptLines(text: string, { theme, columns }: ToolLinesLayout): string[] {
  const [first = "", ...rest] = wrap(plainText(text).trimEnd(), columns - 2)
  return ["", `${theme.accent(">")} ${theme.strong(first)}`, ...rest.map((line) => `  ${theme.strong(line)}`), ""]
}

function userLines(part: Part, layout: ToolLinesLayout): string[] {
  const { theme } = layout
  if (part.type === "text" && !part.synthetic) return promptLines(part.text, layout)
  if (part.type === "subtask")
    return [theme.faint(`  handed to ${plainLine(part.agent)}: ${plainLine(part.description)}`)]
  if (part.type === "file") return [theme.faint(`  attached: ${plainLine(part.filename ?? part.mime)}`)]
  return []
}

/** How a message came to a session that was at work. */
function cameLines({ delivery }: UserMessage, { theme }: ToolLinesLayout): string[] {
  if (!delivery) return []
  const waits = delivery.state === "waiting" ? "waits to be read" : "came from elsewhere"
  return [theme.faint(`  ${waits} (${delivery.mode})`)]
}

/** Written for the agent, in place of what stands above. */
function summaryLines(part: Part, { theme, columns }: ToolLinesLayout): string[] {
  if (part.type !== "text") return []
  const lines = wrap(plainText(part.text).trim(), columns - 2).map((line) =>
    theme.faint(line === "" ? "" : `  ${line}`),
  )
  return ["", theme.faint("⋯ a summary of what came before, for the agent:"), ...lines, ""]
}

function assistantLines(part: Part, layout: ToolLinesLayout): string[] {
  switch (part.type) {
    case "text":
      return ["", wrap(plainText(part.text), layout.columns).join("\n"), ""]
    case "tool":
      return toolLines(part, layout)
    case "question":
      return askedLines(part, layout)
    case "retry":
      return retryLines(part.error.data.message, layout)
    default:
      return []
  }
}

function askedLines(part: QuestionPart, { columns, theme }: ToolLinesLayout): string[] {
  const answer = answerWords(part) ?? (part.time.closed === undefined ? `open: ${part.id}` : "closed")
  const from = part.answerID === undefined ? "" : ", from elsewhere"
  return wrap(`? ${questionSubject(part)} → ${answer}${from}`, columns).map((line) => theme.faint(line))
}

function retryLines(message: string, { columns, theme }: ToolLinesLayout): string[] {
  return wrap(`${plainLine(message)} · tried again`, columns).map((line) => theme.warn(line))
}
