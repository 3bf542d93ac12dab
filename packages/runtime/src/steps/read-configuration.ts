import type { Session } from "@pawl/core"
import { type DefinedSettings, withDefinitions } from "../config/definitions.ts"
import { readSettings, type Settings } from "../config/settings.ts"
import { workDirectory } from "../session/work-directory.ts"
import type { StepContext } from "./step-context.ts"

/** Step 1: reads the configuration of the directory, as far as its project is trusted. */
export function readConfiguration({ options, host, interaction }: StepContext): Promise<Settings> {
  return readSettings(host, options.directory, { flag: options.trust, ask: interaction.askTrust })
}

/** Reads the agents, commands, skills and tools, from the directory in which the session began. */
export async function readDefinitionsFor(
  session: Session | undefined,
  settings: Settings,
  { options, host, interaction }: StepContext,
): Promise<DefinedSettings> {
  if (!session || session.directory === settings.directory) return withDefinitions(settings, host)
  const trust = { flag: options.trust, ask: interaction.askTrust }
  return withDefinitions(await readSettings(host, await workDirectory(host, session.directory), trust), host)
}
