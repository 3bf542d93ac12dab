import { realpath } from "node:fs/promises"
import { relative, resolve, sep } from "node:path"
import {
  decidePermission,
  isInProject,
  type PermissionAction,
  permissionRules,
  withPlainSecretNames,
} from "@pawl/core/permission"
import type { ServerHost } from "../host.ts"
import { RequestError } from "../request-error.ts"
import { boundsOf } from "./inside.ts"

/** What the rules say of reading a file, by its path, absolute or from the host's directory. Nobody is asked. */
export type ReadRules = (path: string) => Promise<PermissionAction>

/**
 * The rules that bind every agent, with pawl's own: those ask before secrets such as `.env` are read. What does not belong to
 * the project is denied.
 */
export function createReadRules(host: Pick<ServerHost, "directory" | "worktree" | "permission">): ReadRules {
  const { directory, worktree } = host
  const scopes = host.permission?.() ?? []
  const rules = permissionRules({ agents: new Map(), permission: scopes }, { name: "" }, {}, [])
  const root = realpath(worktree).catch(() => worktree)
  const bounds = boundsOf({ directory, worktree })
  // Whoever asks for a path hears of it.
  bounds.catch(() => undefined)
  return async (path) => {
    const asked = resolve(directory, path)
    const real = await realpath(asked).catch(() => asked)
    if (!isInProject(real, await bounds)) return "deny"
    const names = [nameOf(worktree, asked), nameOf(await root, real)].flatMap((name) => [
      name,
      withPlainSecretNames(name),
    ])
    return decidePermission(rules, { permission: "read", patterns: [...new Set(names)] }).action
  }
}

/** Throws RequestError for what may not be read without asking anybody. */
export async function requireReadable(rules: ReadRules, path: string): Promise<void> {
  const action = await rules(path)
  if (action === "allow") return
  const why = action === "deny" ? "A rule denies it" : "A rule asks a person first"
  throw new RequestError("Query", `${path} may not be read: ${why}. Allow "read" of it in the configuration.`)
}

function nameOf(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, "/") || "."
}
