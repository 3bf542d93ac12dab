import { join } from "node:path"
import type { Config } from "@pawl/config"
import type { Deadlines, EngineOptions, OutputLimits, Storage } from "@pawl/core"
import type { Host } from "../host.ts"
import { configuredAgents } from "./agents.ts"
import { compactionSettings } from "./compaction.ts"
import { instructionFiles } from "./instruction-files.ts"
import { permissionScopes } from "./permission-scopes.ts"
import type { Settings } from "./settings.ts"

/** Where outputs of tools are kept that are too long to send; absolute. */
export function outputDirectory({ dataDirectory }: Pick<Settings, "dataDirectory">): string {
  return join(dataDirectory, "tool-output")
}

/** What the configuration says to the engine, and the tools: those over the session look into `storage`. */
export async function engineOptions(
  settings: Settings,
  { home, environment }: Pick<Host, "home" | "environment">,
  storage: Storage | Promise<Storage>,
): Promise<Omit<EngineOptions, "storage" | "providers">> {
  const directory = outputDirectory(settings)
  const [{ builtinTools, outputKeeper, sessionRecord }, files, record] = await Promise.all([
    import("@pawl/tools"),
    instructionFiles(settings, home, environment),
    storage,
  ])
  const { config, layers } = settings
  return {
    tools: builtinTools({ outputDirectory: directory, record: sessionRecord(record) }),
    keepOutput: outputKeeper({ directory }),
    agents: configuredAgents(config.agent),
    permission: permissionScopes(layers),
    instructionFiles: files,
    compaction: compactionSettings(config.compaction, environment),
    repetition: config.repetition ?? {},
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
