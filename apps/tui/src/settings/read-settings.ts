import { readFile } from "node:fs/promises"
import type { TuiSettings } from "./tui-settings.ts"

export interface ReadSettings {
  readonly settings: TuiSettings
  /** A sentence about an invalid file, whose settings are not used. */
  readonly problem?: string
}

const defaults: TuiSettings = { notify: "osc", theme: "auto" }

/** Reads the settings. Defaults for a missing file, and for an invalid one. */
export async function readSettings(file: string): Promise<ReadSettings> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined
    return error
  })
  if (text === undefined) return { settings: defaults }
  if (typeof text !== "string") return { settings: defaults, problem: `${file} cannot be read: ${text.message}` }
  // Without a file, the editor is there sooner.
  const [{ tuiSettings }, { z }] = await Promise.all([import("./tui-settings.ts"), import("zod")])
  try {
    const { data, error } = tuiSettings.safeParse(JSON.parse(text))
    return data ? { settings: data } : { settings: defaults, problem: `${file} is not used: ${z.prettifyError(error)}` }
  } catch (error) {
    return { settings: defaults, problem: `${file} is not valid JSON: ${(error as Error).message}` }
  }
}
