import { readFile } from "node:fs/promises"
import { ConfigError } from "@pawl/config"
import { didYouMean } from "@pawl/config/suggestion"
import { isKeyName, KEY_NAMES } from "../keys/key-names.ts"
import { type ActionName, type KeyChoices, keyTable } from "../keys/key-table.ts"
import type { SettingsDocument } from "./settings-document.ts"
import { usualSettings } from "./usual-settings.ts"

/** Settings of the terminal UI, from `tui.json` in the configuration directory. */
export interface TuiSettings extends Omit<SettingsDocument, "keys" | "$schema"> {
  readonly keys: KeyChoices
}

/** Reads the settings. A missing file has none. Throws ConfigError that names the file and the problem. */
export async function readTuiSettings(file: string): Promise<TuiSettings> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw problem(file, `cannot be read: ${error.message}`)
  })
  if (text === undefined) return { ...usualSettings, keys: {} }
  const { keys = {}, $schema: _schema, ...settings } = await parsed(file, text)
  return { ...settings, keys: keyChoices(file, keys) }
}

async function parsed(file: string, text: string): Promise<SettingsDocument> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw problem(file, error instanceof Error ? error.message : "invalid JSON")
  }
  // The schema takes longer to load than the UI to draw, so a UI without settings does not wait for it.
  const { settingsDocument } = await import("./settings-document.ts")
  const result = settingsDocument.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys
    throw problem(file, `unknown setting "${key}"${didYouMean(key, Object.keys(settingsDocument.shape), '"')}`)
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
