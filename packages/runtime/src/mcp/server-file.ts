import { join } from "node:path"
import { checkedLayer, editDocument, type McpServerConfig, userConfigFile } from "@pawl/config"
import { findWorktree } from "@pawl/workspace"
import { UsageError } from "@pawl/config/usage-error"
import { statusOf } from "@pawl/files/status-of"
import { changeConfigFile } from "../config/config-file.ts"
import type { RuntimeHost } from "../host.ts"

const NAMES = ["pawl.jsonc", "pawl.json"]
const OPENCODE = ["opencode.json", "opencode.jsonc"]
const NAME = /^[A-Za-z\d][\w.-]{0,63}$/

/** Returns the file that servers are written to. It may not exist yet. */
export async function serversFile(
  host: Pick<RuntimeHost, "environment" | "home" | "directory">,
  isProject: boolean,
): Promise<string> {
  const { environment: env, home, directory } = host
  if (!isProject) return await userConfigFile({ env, home })
  const folder = (await findWorktree(directory)) ?? directory
  const paths = NAMES.map((name) => join(folder, name))
  // OpenCode's file would be ignored if there were a file of pawl beside it, so it is used.
  const others = [folder, join(folder, ".opencode")].flatMap((each) => OPENCODE.map((name) => join(each, name)))
  const all = [...paths, ...others.toReversed()]
  const found = await Promise.all(all.map(statusOf))
  return all[found.findIndex((status) => status !== undefined)] ?? (paths[0] as string)
}

/** Adds a server and keeps the comments. Rejects with UsageError or ConfigError, and writes nothing, if the server is invalid. */
export async function writeServer(file: string, name: string, server: McpServerConfig): Promise<void> {
  if (!NAME.test(name)) {
    const text = `invalid server name "${name}": use letters, digits, - _ and . as in @name:uri and /name:prompt.`
    throw new UsageError(text, "See: pawl mcp add --help")
  }
  await checkedLayer("pawl mcp", { mcp: { [name]: server } })
  const add = async (text: string) => {
    const edited = await edit(file, text, ["mcp", name], server)
    if (!(await isThere(text, ["mcp", name]))) return edited
    throw new UsageError(
      `${file} already has an MCP server "${name}".`,
      `To replace it, first: pawl mcp remove ${name}`,
    )
  }
  // Servers may have secrets in their headers and variables.
  await changeConfigFile(file, add, { mode: 0o600, isForced: true })
}

/** Removes a server. Returns false if the file does not define it. */
export async function removeServer(file: string, name: string): Promise<boolean> {
  const path = [file.endsWith(".mcp.json") ? "mcpServers" : "mcp", name]
  if (!(await statusOf(file))) return false
  let isFound = false
  const remove = async (text: string) => {
    isFound = await isThere(text, path)
    return isFound ? await edit(file, text, path, undefined) : text
  }
  await changeConfigFile(file, remove, { mode: 0o600 })
  return isFound
}

/** Returns true if the text has a value at this path. */
async function isThere(text: string, path: readonly string[]): Promise<boolean> {
  return text !== "" && (await editDocument(text, path, undefined)) !== text
}

async function edit(file: string, text: string, path: readonly string[], value: unknown): Promise<string> {
  try {
    return await editDocument(text, path, value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(`${file} cannot be changed: ${error.message}`, "Fix it first.")
  }
}
