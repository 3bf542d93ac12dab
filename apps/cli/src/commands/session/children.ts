import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { type Child, childrenTable } from "../../render/children-table.ts"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { childState } from "@pawl/runtime/session/child-state"
import { sessionByID } from "@pawl/runtime/session/find-session"
import { shownBy } from "../../session/masked.ts"
import { withEngine } from "@pawl/runtime/session/with-engine"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions, MISSING_SESSION, rawOptions } from "../../command-options.ts"

const sessionChildrenOptions = { ...rawOptions, ...formattedStorageOptions } as const

/** Lists the direct child sessions of a session, with agent and state. */
async function sessionChildren(
  { options, words }: CommandInput<typeof sessionChildrenOptions>,
  host: Host,
): Promise<ExitCode> {
  const { stdout, stderr, environment } = host
  return withStorage(host, { url: options.storage }, async (storage) => {
    const { id } = await sessionByID(storage, words[0] ?? "")
    const show = shownBy(host, options.raw)
    const children = await withEngine(storage, async (engine) => {
      const found: Child[] = []
      for (const session of await engine.children(id)) {
        found.push({ ...show(session), state: await childState(engine, storage, session) })
      }
      return found
    })
    if (options.format === "json") for (const child of children) stdout.write(`${JSON.stringify(child)}\n`)
    else if (children.length === 0) stderr.write(`No child sessions of ${id}.\n`)
    else {
      const theme = createTheme(wantsColour(environment, stdout.isTerminal))
      // A pipe has no width.
      const columns = stdout.isTerminal ? stdout.columns : Infinity
      stdout.write(`${childrenTable(children, { columns, theme, now: Date.now() }).join("\n")}\n`)
    }
    return exitCodes.success
  })
}

export const command = defineCommand({
  usage: ["session children [options] <id>"],
  words: { min: 1, max: 1, completes: "sessions", missing: MISSING_SESSION },
  options: sessionChildrenOptions,
  examples: [["pawl session children ses_7ZZ…", "list the sessions of its subagents"]],
  run: sessionChildren,
})
