import { z } from "zod"
import { usualSettings } from "./usual-settings.ts"

/** `tui.json` as it is written. */
export const settingsDocument = z.strictObject({
  $schema: z.string().optional(),
  keys: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  /** How the user learns of an answer or a question while the terminal has no focus. */
  notify: z.enum(["off", "bell", "osc"]).default(usualSettings.notify),
  /** `auto` asks the terminal for its background. */
  theme: z.enum(["auto", "dark", "light", "none"]).default(usualSettings.theme),
  /** Form of differences. `auto`: side by side if the terminal is wide enough. */
  diff: z.enum(["auto", "inline", "side-by-side"]).default(usualSettings.diff),
  /** Keys of the prompt. */
  editor: z.enum(["default", "vim"]).default(usualSettings.editor),
  /** A shell command whose first line of output is shown below the status. It gets the status as JSON. */
  statusLine: z.strictObject({ command: z.string().min(1) }).optional(),
})

export type SettingsDocument = z.infer<typeof settingsDocument>
