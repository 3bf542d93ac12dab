/** Characters of one server's instructions, and of all. */
const MOST_OF_ONE = 4096
const MOST = 16_384

/** What servers say of their use, for the system prompt, by name; undefined where none says anything. */
export function mcpInstructions(said: Readonly<Record<string, string | undefined>>): string | undefined {
  const blocks: string[] = []
  let room = MOST
  for (const name of Object.keys(said).sort((a, b) => (a < b ? -1 : 1))) {
    const text = said[name]?.trim().toWellFormed() ?? ""
    if (text === "") continue
    const shown = shortened(text, Math.min(MOST_OF_ONE, room))
    if (shown === "") continue
    room -= shown.length
    blocks.push(`<server name=${JSON.stringify(name)}>\n${shown}\n</server>`)
  }
  if (blocks.length === 0) return undefined
  return ["<mcp_instructions>", ...blocks, "</mcp_instructions>"].join("\n")
}

function shortened(text: string, most: number): string {
  // Nothing that a server says may end its own block.
  const plain = text.replaceAll(/<\/?(?:mcp_instructions|server)\b/gi, (tag) => tag.replace("<", "&lt;"))
  return plain.length <= most ? plain : `${plain.slice(0, Math.max(0, most - 1)).toWellFormed()}${most > 0 ? "…" : ""}`
}
