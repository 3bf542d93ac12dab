import type { EngineEvent } from "@pawl/core"
import type { RunView } from "./run-view.ts"

/** Shows only the answer, questions and the final error of a run. */
export function quietView(view: RunView): RunView {
  return {
    isForPeople: view.isForPeople,
    handle(event, subagent) {
      if (!subagent && isAnswer(event)) view.handle(event)
    },
    notice: () => {},
    queued: () => {},
    waiting: () => {},
    error: (error, sessionID, hint) => view.error(error, sessionID, hint),
    ask: (lines, answer) => view.ask(lines, answer),
    end: () => view.end(),
  }
}

function isAnswer(event: EngineEvent): boolean {
  if (event.type === "message.part.updated") return event.properties.part.type === "text"
  return event.type === "message.part.delta" || event.type === "message.part.removed"
}
