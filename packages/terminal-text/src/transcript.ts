import type { MessageWithParts, Part, QuestionPart, Session, UserMessage } from "@pawl/core/record"
import { wrap } from "./flow.ts"
import { plainLine, plainText } from "@pawl/plain-text"
import { answerWords, questionSubject } from "./question-lines.ts"
import { toolLines, type ToolLinesPaper } from "./tool-lines.ts"

/**
 * A session as it would have been shown while it was worked on: the lines of its head, then those of each message. Messages
 * oldest first. Blank lines set texts apart, never two of them, and none at the end.
 */
export async function* transcriptOf(
  session: Session,
  messages: AsyncIterable<MessageWithParts> | Iterable<MessageWithParts>,
  paper: ToolLinesPaper,
): AsyncGenerator<readonly string[]> {
  let isApart = false
  function withoutGaps(lines: readonly string[]): string[] {
    return lines.flatMap((line) => {
      const before = isApart && line !== "" ? [""] : []
      isApart = line === ""
      return isApart ? [] : [...before, line]
    })
  }
  yield headLines(session, paper)
  let isMarked = false
  for await (const message of messages) {
    const isUndone = session.revert !== undefined && message.info.id >= session.revert.messageID
    const mark = isUndone && !isMarked ? ["", paper.theme.warn(UNDONE), ""] : []
    isMarked ||= isUndone
    yield withoutGaps([...mark, ...messageLines(message, paper)])
  }
}

const UNDONE = "── undone from here on; until the next prompt, pawl redo takes it back ──"

function headLines(
  { id, title, directory, time, model, variant }: Session,
  { theme, columns }: ToolLinesPaper,
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

function messageLines({ info, parts }: MessageWithParts, paper: ToolLinesPaper): string[] {
  const { theme, columns } = paper
  const linesOf = info.role === "user" ? userLines : info.summary ? summaryLines : assistantLines
  const lines = [
    ...parts.flatMap((part) => linesOf(part, paper)),
    ...(info.role === "user" ? cameLines(info, paper) : []),
  ]
  if (info.role !== "assistant" || !info.error) return lines
  return [...lines, ...wrap(`✗ ${plainText(info.error.data.message)}`, columns).map((line) => theme.bad(line))]
}

function userLines(part: Part, { theme, columns }: ToolLinesPaper): string[] {
  if (part.type === "text" && !part.synthetic) {
    const [first = "", ...rest] = wrap(plainText(part.text).trimEnd(), columns - 2)
    return ["", `${theme.accent(">")} ${theme.strong(first)}`, ...rest.map((line) => `  ${theme.strong(line)}`), ""]
  }
  if (part.type === "subtask")
    return [theme.faint(`  handed to ${plainLine(part.agent)}: ${plainLine(part.description)}`)]
  if (part.type === "file") return [theme.faint(`  attached: ${plainLine(part.filename ?? part.mime)}`)]
  return []
}

/** How a message came to a session that was at work. */
function cameLines({ delivery }: UserMessage, { theme }: ToolLinesPaper): string[] {
  if (!delivery) return []
  const waits = delivery.state === "waiting" ? "waits to be read" : "came from elsewhere"
  return [theme.faint(`  ${waits} (${delivery.mode})`)]
}

/** Written for the agent, in place of what stands above. */
function summaryLines(part: Part, { theme, columns }: ToolLinesPaper): string[] {
  if (part.type !== "text") return []
  const lines = wrap(plainText(part.text).trim(), columns - 2).map((line) =>
    theme.faint(line === "" ? "" : `  ${line}`),
  )
  return ["", theme.faint("⋯ a summary of what came before, for the agent:"), ...lines, ""]
}

function assistantLines(part: Part, paper: ToolLinesPaper): string[] {
  switch (part.type) {
    case "text":
      return ["", wrap(plainText(part.text), paper.columns).join("\n"), ""]
    case "tool":
      return toolLines(part, paper)
    case "question":
      return askedLines(part, paper)
    case "retry":
      return retryLines(part.error.data.message, paper)
    default:
      return []
  }
}

function askedLines(part: QuestionPart, { columns, theme }: ToolLinesPaper): string[] {
  const answer = answerWords(part) ?? (part.time.closed === undefined ? `open: ${part.id}` : "closed")
  const from = part.answerID === undefined ? "" : ", from elsewhere"
  return wrap(`? ${questionSubject(part)} → ${answer}${from}`, columns).map((line) => theme.faint(line))
}

function retryLines(message: string, { columns, theme }: ToolLinesPaper): string[] {
  return wrap(`${plainLine(message)} · tried again`, columns).map((line) => theme.warn(line))
}
