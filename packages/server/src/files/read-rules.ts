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

/**
 * Returns what the rules decide about reading a file, without asking a user. The path is absolute or relative to the
 * host's directory.
 */
export type ReadRules = (path: string) => Promise<PermissionAction>

/**
 * Combines the rules for every agent with pawl's own, which ask before secrets such as `.env` are read. Denies paths
 * outside of the project.
 */
export function createReadRules(host: Pick<ServerHost, "directory" | "worktree" | "permission">): ReadRules {
  const { directory, worktree } = host
  const scopes = host.permission?.() ?? []
  const rules = permissionRules({ agents: new Map(), permission: scopes }, { name: "" }, {}, [])
  const root = realpath(worktree).catch(() => worktree)
  const bounds = boundsOf({ directory, worktree })
  // An error is reported by the check of a path.
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

/** Throws RequestError unless the file may be read without asking a user. */
export async function requireReadable(rules: ReadRules, path: string): Promise<void> {
  const action = await rules(path)
  if (action === "allow") return
  const reason = action === "deny" ? "A rule denies it" : "A rule asks the user first"
  throw new RequestError("Query", `${path} may not be read: ${reason}. Allow "read" of it in the configuration.`)
}

function nameOf(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, "/") || "."
}
