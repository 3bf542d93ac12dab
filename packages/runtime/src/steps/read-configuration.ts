import { realpath } from "node:fs/promises"
import { UsageError } from "@pawl/config/usage-error"
import { worktreeNameOf } from "@pawl/worktree/origin"
import type { Session } from "@pawl/core"
import { type DefinedSettings, withDefinitions } from "../config/definitions.ts"
import { readSettings, type Settings } from "../config/settings.ts"
import { workDirectory } from "../session/work-directory.ts"
import type { StepContext } from "./step-context.ts"

/** Step 1: reads the configuration of the directory, including the project's if it is trusted. */
export function readConfiguration({ options, host, interaction }: StepContext): Promise<Settings> {
  return readSettings(host, options.directory, { flag: options.trust, ask: interaction.askTrust })
}

/** Reads the agents, commands, skills and tools from the directory in which the session started. */
export async function readDefinitionsFor(
  session: Session | undefined,
  settings: Settings,
  { options, host, interaction }: StepContext,
): Promise<DefinedSettings> {
  if (!session || session.directory === settings.directory) return withDefinitions(settings, host)
  const trust = { flag: options.trust, ask: interaction.askTrust }
  const { directory, isReport } = options
  const began = beganIn(session.directory, settings, host)
  const startDirectory = await (isReport ? began.catch(() => directory) : began)
  return withDefinitions(await readSettings(host, startDirectory, trust), host)
}

/** Like `workDirectory`; for a worktree of pawl that is gone, the error says how to create it again. */
async function beganIn(
  directory: string,
  { dataDirectory }: Pick<Settings, "dataDirectory">,
  host: StepContext["host"],
): Promise<string> {
  try {
    return await workDirectory(host, directory)
  } catch (error) {
    const name = worktreeNameOf(await realpath(dataDirectory).catch(() => dataDirectory), directory)
    if (name === undefined || !(error instanceof UsageError)) throw error
    const hint = `It was the worktree ${name}. In your repository, create it again: pawl run -c --worktree=${name} "…"`
    throw new UsageError(error.message, hint)
  }
}
