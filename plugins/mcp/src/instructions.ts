/** Maximum number of characters per server, and in total. */
const MAX_LENGTH_PER_SERVER = 4096
const MAX_LENGTH = 16_384

/** Formats the servers' instructions for the system prompt, sorted by name; undefined if there are no instructions. */
export function mcpInstructions(
  instructionsByServer: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const blocks: string[] = []
  let room = MAX_LENGTH
  for (const name of Object.keys(instructionsByServer).sort((a, b) => (a < b ? -1 : 1))) {
    const text = instructionsByServer[name]?.trim().toWellFormed() ?? ""
    if (text === "") continue
    const shown = shortened(text, Math.min(MAX_LENGTH_PER_SERVER, room))
    if (shown === "") continue
    room -= shown.length
    blocks.push(`<server name=${JSON.stringify(name)}>\n${shown}\n</server>`)
  }
  if (blocks.length === 0) return undefined
  return ["<mcp_instructions>", ...blocks, "</mcp_instructions>"].join("\n")
}

function shortened(text: string, maxLength: number): string {
  // A server's text must not close its own block.
  const plain = text.replaceAll(/<\/?(?:mcp_instructions|server)\b/gi, (tag) => tag.replace("<", "&lt;"))
  return plain.length <= maxLength
    ? plain
    : `${plain.slice(0, Math.max(0, maxLength - 1)).toWellFormed()}${maxLength > 0 ? "…" : ""}`
}
