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
  const { directory, isReport } = options
  const began = workDirectory(host, session.directory)
  const place = await (isReport ? began.catch(() => directory) : began)
  return withDefinitions(await readSettings(host, place, trust), host)
}
