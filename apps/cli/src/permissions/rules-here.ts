import { readRules, type ReadRules } from "@pawl/runtime/read-rules"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { directoryOptions, formattedStorageOptions } from "../command-options.ts"
import type { Host } from "../host.ts"
import { foreignLine } from "@pawl/terminal-text/foreign-lines"

export const rulesOptions = {
  ...directoryOptions,
  agent: { value: "<name>", summary: "agent that makes the call" },
  session: {
    short: "s",
    value: "<id>",
    completes: "sessions",
    summary: "apply the rules, approvals and parent agents of this session",
  },
  ...formattedStorageOptions,
} as const

export interface RulesRequest {
  readonly dir?: string | undefined
  readonly agent?: string | undefined
  /** Id of a session, or a prefix of it. */
  readonly session?: string | undefined
  readonly storage?: string | undefined
}

/** Reads the rules that a call here, or in a session, is checked by, and prints the notices about them. */
export async function rulesHere({ dir, agent, session: id, storage }: RulesRequest, host: Host): Promise<ReadRules> {
  const here = await readRules({
    ...{ directory: await workDirectory(host, dir), host, agent, storage },
    session: id === undefined ? undefined : { type: "id", id },
  })
  for (const notice of here.notices) host.stderr.write(`${host.secrets.mask(foreignLine(notice))}\n`)
  return here
}
