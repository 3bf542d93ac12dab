import { join } from "node:path"
import type { Config } from "@pawl/config"
import type { Deadlines, EngineOptions, OutputLimits } from "@pawl/core"
import { configuredAgents } from "./agents.ts"
import { instructionFiles } from "./instruction-files.ts"
import { permissionScopes } from "./permission-scopes.ts"
import type { Settings } from "./settings.ts"

/** What the configuration says to the engine, and the tools. */
export async function engineOptions(
  settings: Settings,
  home: string | undefined,
): Promise<Omit<EngineOptions, "storage" | "providers">> {
  const outputDirectory = join(settings.dataDirectory, "tool-output")
  const [{ builtinTools, outputKeeper }, files] = await Promise.all([
    import("@pawl/tools"),
    instructionFiles(settings, home),
  ])
  const { config, layers } = settings
  return {
    tools: builtinTools({ outputDirectory }),
    keepOutput: outputKeeper({ directory: outputDirectory }),
    agents: configuredAgents(config.agent),
    permission: permissionScopes(layers),
    instructionFiles: files,
    deadlines: deadlines(config.deadlines),
    outputLimits: outputLimits(config.tool_output),
  }
}

function deadlines(configured: Config["deadlines"] & object = {}): Partial<Deadlines> {
  const { first_event_ms, idle_ms, tool_ms, question_ms } = configured
  return {
    ...(first_event_ms === undefined ? {} : { firstEvent: first_event_ms }),
    ...(idle_ms === undefined ? {} : { idle: idle_ms }),
    ...(tool_ms === undefined ? {} : { tool: tool_ms }),
    ...(question_ms === undefined ? {} : { question: question_ms }),
  }
}

function outputLimits({ max_lines, max_bytes }: Config["tool_output"] & object = {}): Partial<OutputLimits> {
  return {
    ...(max_lines === undefined ? {} : { lines: max_lines }),
    ...(max_bytes === undefined ? {} : { bytes: max_bytes }),
  }
}
