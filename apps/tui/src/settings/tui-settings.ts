import { readFile } from "node:fs/promises"
import { ConfigError } from "@pawl/config"
import { didYouMean } from "@pawl/config/suggestion"
import { z } from "zod"
import { isKeyName, KEY_NAMES } from "../keys/key-names.ts"
import { type ActionName, type KeyChoices, keyTable } from "../keys/key-table.ts"

const document = z.strictObject({
  $schema: z.string().optional(),
  keys: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  /** How the user learns of an answer or a question while the terminal has no focus. */
  notify: z.enum(["off", "bell", "osc"]).default("osc"),
  /** `auto` asks the terminal for its background. */
  theme: z.enum(["auto", "dark", "light", "none"]).default("auto"),
  /** Form of differences. `auto`: side by side if the terminal is wide enough. */
  diff: z.enum(["auto", "inline", "side-by-side"]).default("auto"),
  /** Keys of the prompt. */
  editor: z.enum(["default", "vim"]).default("default"),
  /** A shell command whose first line of output is shown below the status. It gets the status as JSON. */
  statusLine: z.strictObject({ command: z.string().min(1) }).optional(),
})

/** Settings of the terminal UI, from `tui.json` in the configuration directory. */
export interface TuiSettings extends Omit<z.infer<typeof document>, "keys" | "$schema"> {
  readonly keys: KeyChoices
}

/** Reads the settings. A missing file has none. Throws ConfigError that names the file and the problem. */
export async function readTuiSettings(file: string): Promise<TuiSettings> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}"
    throw problem(file, `cannot be read: ${error.message}`)
  })
  const { keys = {}, $schema: _schema, ...settings } = parsed(file, text)
  return { ...settings, keys: keyChoices(file, keys) }
}

function parsed(file: string, text: string): z.infer<typeof document> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw problem(file, error instanceof Error ? error.message : "invalid JSON")
  }
  const result = document.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys
    throw problem(file, `unknown setting "${key}"${didYouMean(key, Object.keys(document.shape), '"')}`)
  }
  throw problem(file, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`)
}

function keyChoices(file: string, keys: Readonly<Record<string, string | readonly string[]>>): KeyChoices {
  const known = Object.keys(keyTable)
  const choices: Partial<Record<ActionName, readonly string[]>> = {}
  const owners = new Map<string, string>()
  for (const [action, written] of Object.entries(keys)) {
    if (!known.includes(action)) throw problem(file, `unknown action "${action}"${didYouMean(action, known, '"')}`)
    const names = typeof written === "string" ? [written] : written
    for (const name of names) {
      const owner = owners.get(name)
      if (!isKeyName(name))
        throw problem(file, `keys.${action}: unknown key "${name}"${didYouMean(name, KEY_NAMES, '"')}`)
      if (owner !== undefined) throw problem(file, `"${name}" is the key of two actions: ${owner} and ${action}`)
      owners.set(name, action)
    }
    choices[action as ActionName] = names
  }
  return choices
}

function problem(file: string, message: string): ConfigError {
  return new ConfigError([{ file, message: `${file}: ${message}` }])
}
