import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { ProviderError } from "@pawl/core/provider"
import { parseScript } from "./parse-script.ts"
import type { Script } from "./script.ts"

/**
 * Reads a script file. A relative path is resolved from `directory`. Throws ProviderError "invalid-request" that names
 * the file and the invalid line.
 */
export async function readScript(location: string | URL, directory: string = process.cwd()): Promise<Script> {
  const path = typeof location === "string" ? resolve(directory, location) : fileURLToPath(location)
  return parseScript(await readText(path), path)
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8")
  } catch (cause) {
    const message = `The script ${path} cannot be read: ${whyUnreadable(cause)}.`
    throw new ProviderError("invalid-request", message, { providerID: "replay" }, { cause })
  }
}

function whyUnreadable(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === "ENOENT") return "there is no such file"
  if (code === "EISDIR") return "it is a directory"
  return code === "EACCES" ? "this user may not read it" : message
}
