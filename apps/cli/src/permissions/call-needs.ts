import { callNeeds, type JSONObject, type PermissionNeed, type Tool, type ToolPlace } from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"

/** The argument of a tool that a plain text stands for. */
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

/** What tools want besides: nothing of it is judged. */
const REST: Readonly<Record<string, JSONObject>> = {
  edit: { oldString: "before", newString: "after" },
  multiedit: { edits: [{ oldString: "before", newString: "after" }] },
  task: { description: "a task", prompt: "a task" },
  write: { content: "" },
}

/** The input of a call as it was written: JSON, or the tool's main argument. Throws UsageError where it is neither. */
export function callInput(tool: string, text: string): JSONObject {
  if (text.trimStart().startsWith("{")) return parsed(text)
  const main = MAIN[tool]
  if (text === "") return {}
  if (main !== undefined) return { ...REST[tool], [main]: text }
  throw new UsageError(`The input of ${tool} has to be JSON.`, `Write: pawl permissions why ${tool} '{"…": "…"}'`)
}

function parsed(text: string): JSONObject {
  try {
    return JSON.parse(text) as JSONObject
  } catch (error) {
    throw new UsageError(`The input is no JSON: ${(error as Error).message}`, "See: pawl permissions why --help")
  }
}

/** What the call would need; a tool that nobody has here, such as one of a server, is judged by its name. */
export async function writtenNeeds(
  tool: Tool | undefined,
  name: string,
  input: JSONObject,
  place: ToolPlace,
): Promise<readonly PermissionNeed[]> {
  return callNeeds(tool ?? { name }, tool?.permissions ? tool.parse(input) : input, place)
}
