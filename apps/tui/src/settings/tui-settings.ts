import { z } from "zod"

/** The file `tui.json` in the user's configuration directory. Unknown keys are ignored. */
export const tuiSettings = z.looseObject({
  /** How the user learns of an answer or a question while the terminal has no focus. */
  notify: z.enum(["off", "bell", "osc"]).default("osc"),
  /** `auto` asks the terminal for its background. */
  theme: z.enum(["auto", "dark", "light", "none"]).default("auto"),
  /** A shell command whose first line of output is shown below the status. It gets the status as JSON. */
  statusLine: z.object({ command: z.string().min(1) }).optional(),
})

export type TuiSettings = z.infer<typeof tuiSettings>
