import { defineTool, type JSONObject, type Tool } from "@pawl/core/tool"
import type { Call } from "./conversation.ts"

const text = { type: "string" }
const DEFINITIONS: readonly Pick<Tool, "name" | "description" | "inputSchema" | "effect" | "keep">[] = [
  described("read", "Reads a file, with line numbers. Long files come in pages: say where to begin.", "pure", {
    filePath: text,
    offset: { type: "number" },
    limit: { type: "number" },
  }),
  described("grep", "Searches the files of the project for a regular expression.", "pure", {
    pattern: text,
    path: text,
  }),
  {
    ...described("bash", "Runs a command in the project's directory. Say what it is for.", "unsafe", {
      command: text,
      description: text,
    }),
    keep: "tail",
  },
  described("edit", "Replaces a text that occurs once in a file by another.", "unsafe", {
    filePath: text,
    oldString: text,
    newString: text,
  }),
  described("todowrite", "Replaces the list of tasks. Keep it true while you work.", "unsafe", {
    todos: { type: "array", items: { type: "object", properties: { status: text, content: text } } },
  }),
]

/** Tools that return the results of the conversation. */
export function playedTools(calls: readonly Call[]): Tool[] {
  const results = new Map(calls.map(({ id, result }) => [id, result]))
  return DEFINITIONS.map((definition) =>
    defineTool<JSONObject>({
      ...definition,
      parse: (input) => input as JSONObject,
      async execute(_input, { callID }) {
        const result = results.get(callID)
        if (!result) throw new Error(`The conversation has no call ${callID}.`)
        if (result.error !== undefined) throw new Error(result.error)
        return { title: definition.name, output: result.output, metadata: result.metadata }
      },
    }),
  ) as Tool[]
}

function described(name: string, description: string, effect: Tool["effect"], properties: JSONObject) {
  return { name, description, effect, inputSchema: { type: "object", properties } }
}
