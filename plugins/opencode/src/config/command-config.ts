type Fields = Readonly<Record<string, unknown>>

const SHARED: Readonly<Record<string, string>> = {
  agent: "string",
  description: "string",
  model: "string",
  subtask: "boolean",
  template: "string",
  variant: "string",
}

/**
 * Converts a command of OpenCode to pawl's form; undefined without a template. `left` lists the fields that pawl does
 * not know.
 */
export function commandConfig(given: Fields): { readonly command?: Fields; readonly left: readonly string[] } {
  if (typeof given["template"] !== "string") return { left: ["template"] }
  const command: Record<string, unknown> = {}
  const left: string[] = []
  // The key is the name already.
  const { name: _, ...fields } = given
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue
    if (SHARED[field] === typeof value) command[field] = value
    else left.push(field)
  }
  return { command, left }
}
