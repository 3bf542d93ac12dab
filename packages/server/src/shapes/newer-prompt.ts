import type { FilePart, MessageWithParts, Part } from "@pawl/core/record"

type AgentPart = Extract<Part, { type: "agent" }>

/** Converts what the user wrote in a message to the form of OpenCode's newer interface. */
export function newerPrompt({ parts }: Pick<MessageWithParts, "parts">) {
  const files = parts.filter((part) => part.type === "file")
  const agents = parts.filter((part) => part.type === "agent")
  return {
    text: writtenTexts(parts).join("\n\n"),
    ...(files.length > 0 ? { files: files.map((file) => newerFile(file)) } : {}),
    ...(agents.length > 0 ? { agents: agents.map((agent) => newerAgentName(agent)) } : {}),
  }
}

/** Returns the texts of the user, and the tasks that the user gave to subagents. */
function writtenTexts(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => {
    if (part.type === "subtask") return [part.prompt]
    return part.type === "text" && !part.synthetic ? [part.text] : []
  })
}

export function newerFile({ url, mime, filename, source }: FilePart) {
  return {
    uri: url,
    mime,
    ...(filename === undefined ? {} : { name: filename }),
    ...(source ? { source: newerSource(source.text) } : {}),
  }
}

function newerAgentName({ name, source }: AgentPart) {
  return { name, ...(source ? { source: newerSource(source) } : {}) }
}

function newerSource({ value, start, end }: NonNullable<AgentPart["source"]>) {
  return { start, end, text: value }
}
