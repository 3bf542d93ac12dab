import type { Tool, ToolResult } from "@pawl/core/tool"
import { builtinTools, type BuiltinToolsOptions } from "../src/index.ts"
import { testContext } from "./context.ts"

export interface TestTools {
  tool(name: string): Tool
  /** Parses, asks for permissions and runs, as the engine does. */
  run(name: string, input: unknown, context?: ReturnType<typeof testContext>): Promise<ToolResult>
}

/** One set of tools working in `directory`. */
export function testTools(directory: string, options?: BuiltinToolsOptions): TestTools {
  const tools = new Map(builtinTools(options).map((tool) => [tool.name, tool]))
  function find(name: string): Tool {
    const tool = tools.get(name)
    if (!tool) throw new Error(`No tool ${name}. There are: ${[...tools.keys()].join(", ")}.`)
    return tool
  }
  return {
    tool: find,
    async run(name, input, context = testContext(directory)) {
      const tool = find(name)
      const parsed = tool.parse(input)
      await tool.permissions?.(parsed, context)
      return tool.execute(parsed, context)
    },
  }
}
