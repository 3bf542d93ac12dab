import { callNeeds, type PermissionNeed, type ToolLocation } from "@pawl/core/permission"
import { type JSONObject, type Tool, ToolInputError } from "@pawl/core/tool"
import { UsageError } from "@pawl/config/usage-error"

/** The argument that a plain text is the value of, for each tool. */
const MAIN: Readonly<Record<string, string>> = {
  bash: "command",
  edit: "filePath",
  glob: "pattern",
  grep: "pattern",
  list: "path",
  multiedit: "filePath",
  read: "filePath",
  skill: "name",
  task: "subagent_type",
  webfetch: "url",
  write: "filePath",
}

/** Example inputs for the hints of errors. */
const EXAMPLES: Readonly<Record<string, string>> = {
  bash: "'git push'",
  edit: "src/main.ts",
  glob: "'**/*.ts'",
  grep: "TODO",
  list: "src",
  multiedit: "src/main.ts",
  read: "src/main.ts",
  skill: "release",
  task: "explore",
  webfetch: "https://example.com",
  write: "src/main.ts",
}

/** Other arguments that the tools require. Permissions do not depend on them. */
const REST: Readonly<Record<string, JSONObject>> = {
  edit: { oldString: "before", newString: "after" },
  multiedit: { edits: [{ oldString: "before", newString: "after" }] },
  task: { description: "a task", prompt: "a task" },
  write: { content: "" },
}

/** Parses the input of a call: JSON, or the tool's main argument. Throws UsageError if it is neither. */
export function callInput(tool: string, text: string): JSONObject {
  if (text.trimStart().startsWith("{")) return parsed(text)
  const main = MAIN[tool]
  if (text === "") return {}
  if (main !== undefined) return { ...REST[tool], [main]: text }
  throw new UsageError(`invalid input for ${tool}: expected JSON`, `Example: pawl permissions why ${tool} '{"…": "…"}'`)
}

function parsed(text: string): JSONObject {
  try {
    return JSON.parse(text) as JSONObject
  } catch (error) {
    throw new UsageError(`invalid JSON input: ${(error as Error).message}`, "See: pawl permissions why --help")
  }
}

/** Returns the permissions that the call would need. An unknown tool, such as one of an MCP server, is judged by its name. */
export async function writtenNeeds(
  tool: Tool | undefined,
  name: string,
  input: JSONObject,
  place: ToolLocation,
): Promise<readonly PermissionNeed[]> {
  return callNeeds(tool ?? { name }, tool?.permissions ? parseInput(tool, input) : input, place)
}

/** Parses the input. The tool's own error is written for a model, so the user gets another one. */
function parseInput(tool: Tool, input: JSONObject): unknown {
  try {
    return tool.parse(input)
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error
    const hint = `Example: pawl permissions why ${tool.name} ${EXAMPLES[tool.name] ?? `'{"…": "…"}'`}`
    if (Object.keys(input).length === 0) throw new UsageError(`missing input for ${tool.name}`, hint)
    throw new UsageError(`invalid input for ${tool.name}: expected ${fieldsOf(tool)}`, hint)
  }
}

/** Lists the names of a tool's arguments, optional ones with a question mark. */
function fieldsOf({ inputSchema }: Tool): string {
  const { properties, required } = inputSchema as { properties?: JSONObject; required?: readonly string[] }
  return Object.keys(properties ?? {})
    .map((field) => (required?.includes(field) ? field : `${field}?`))
    .join(", ")
}
