import type { MessageWithParts, Part, Session } from "@pawl/core"
import { createFlow } from "./flow.ts"
import { plainLine, plainText } from "./plain.ts"
import { toolLines, type ToolLinesPaper } from "./tool-lines.ts"

export function transcriptHead({ id, title, directory, time, model }: Session, { theme }: ToolLinesPaper): string[] {
  const facts = [
    id,
    plainLine(directory),
    new Date(time.created).toLocaleString(),
    ...(model ? [`${model.providerID}/${model.modelID}`] : []),
  ]
  return [theme.strong(plainLine(title)), theme.faint(facts.join(" · "))]
}

/** One message as it would have been shown while it was made. */
export function transcriptOf({ info, parts }: MessageWithParts, paper: ToolLinesPaper): string[] {
  const { theme } = paper
  const lines = parts.flatMap((part) => (info.role === "user" ? userLines(part, paper) : assistantLines(part, paper)))
  if (info.role === "assistant" && info.error) lines.push(theme.bad(`✗ ${plainText(info.error.data.message)}`))
  return lines
}

function userLines(part: Part, { theme }: ToolLinesPaper): string[] {
  if (part.type === "text" && !part.synthetic) {
    const [first = "", ...rest] = plainText(part.text).trimEnd().split("\n")
    return ["", `${theme.accent(">")} ${theme.strong(first)}`, ...rest.map((line) => `  ${theme.strong(line)}`), ""]
  }
  if (part.type === "file") return [theme.faint(`  attached: ${plainLine(part.filename ?? part.mime)}`)]
  return []
}

function assistantLines(part: Part, paper: ToolLinesPaper): string[] {
  switch (part.type) {
    case "text":
      return ["", flowing(plainText(part.text), paper.columns), ""]
    case "tool":
      return toolLines(part, paper)
    case "retry":
      return [paper.theme.warn(`${plainLine(part.error.data.message)} · tried again`)]
    default:
      return []
  }
}

function flowing(text: string, columns: number): string {
  const flow = createFlow(() => columns)
  return flow.push(text) + flow.end()
}
