import type { EngineEvent, RunResult } from "@pawl/core"
import type { Recording } from "@pawl/provider-replay"
import type { Host } from "../host.ts"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { endingOf } from "../run/ending.ts"
import { createSubagentTracker, type SubagentTracker } from "@pawl/runtime/run/subagent-tracker"
import { createJSONView } from "../run/json-view.ts"
import { createTextView } from "../run/text-view.ts"

/** Shows a replay as a run is shown. */
export interface Show {
  event(event: EngineEvent, rootID: string): void
  turn(result: RunResult): void
  /** A second call does nothing. */
  end(): void
}

export interface ShowOptions {
  readonly recording: Pick<Recording, "header">
  readonly format: "text" | "json"
}

export function createShow(host: Host, { recording, format }: ShowOptions): Show {
  const { stdout, stderr, secrets, environment } = host
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  const now = () => Date.now()
  const directory = recording.header.directory ?? "/"
  const view =
    format === "json"
      ? createJSONView({ stdout, stderr, secrets, now })
      : createTextView({ stdout, stderr, theme, secrets, directory, now, tick: () => performance.now() })
  let subagents: SubagentTracker | undefined
  let rootID: string | undefined
  return {
    event(event, root) {
      rootID = root
      subagents ??= createSubagentTracker(root)
      subagents.follow(event)
      const { sessionID } = "sessionID" in event.properties ? event.properties : {}
      if (sessionID === undefined) return
      const subagent = subagents.subagentOf(sessionID)
      if (subagent) view.handle(event, subagent)
      else view.handle(event)
    },
    turn(result) {
      const { error } = endingOf(result, undefined)
      if (error && result.type !== "aborted" && rootID !== undefined) view.error(error, rootID)
    },
    end: () => view.end(),
  }
}
