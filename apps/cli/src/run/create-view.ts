import type { Host } from "../host.ts"
import { createJSONView } from "./json-view.ts"
import { quietView } from "./quiet-view.ts"
import type { RunView } from "./run-view.ts"
import type { TaskRequest } from "./task-request.ts"
import { createTextView, type TextViewOptions } from "./text-view.ts"

/** Creates the view that the options ask for. */
export function createView(
  { format, directory, showsThinking }: Pick<TaskRequest, "format" | "directory" | "showsThinking">,
  { stdout, stderr, secrets }: Host,
  shown: Pick<TextViewOptions, "theme" | "colorOf">,
): RunView {
  const now = () => Date.now()
  if (format === "json") return createJSONView({ stdout, stderr, secrets, now, showsThinking })
  const options = { stdout, stderr, ...shown, secrets, directory, showsThinking }
  const view = createTextView({ ...options, now, tick: () => performance.now() })
  return stderr.isQuiet ? quietView(view) : view
}
