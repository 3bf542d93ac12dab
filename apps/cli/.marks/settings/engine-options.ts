import { join } from "node:path"
import type { Config } from "@pawl/config"
import type { Deadlines, EngineOptions, OutputLimits } from "@pawl/core"
import { configuredAgents } from "./agents.ts"
import { instructionFiles } from "./instruction-files.ts"
import { layeredRules } from "./permission-rules.ts"
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
  const rules = layeredRules(layers)
  return {
    tools: builtinTools({ outputDirectory }),
    keepOutput: outputKeeper({ directory: outputDirectory }),
    agents: configuredAgents(config.agent, rules.project),
    permission: rules.user,
    instructionFiles: files,
    deadlines: deadlines(config.deadlines),
    outputLimits: outputLimits(config.tool_output),
  }
}

function deadlines({ first_event_ms, idle_ms, tool_ms }: Config["deadlines"] & object = {}): Partial<Deadlines> {
  return {
    ...(first_event_ms === undefined ? {} : { firstEvent: first_event_ms }),
    ...(idle_ms === undefined ? {} : { idle: idle_ms }),
    ...(tool_ms === undefined ? {} : { tool: tool_ms }),
  }
}

function outputLimits({ max_lines, max_bytes }: Config["tool_output"] & object = {}): Partial<OutputLimits> {
  return {
    ...(max_lines === undefined ? {} : { lines: max_lines }),
    ...(max_bytes === undefined ? {} : { bytes: max_bytes }),
  }
}
