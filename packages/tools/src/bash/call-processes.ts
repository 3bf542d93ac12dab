import { readdir, readFile } from "node:fs/promises"

/** Names the calls that a process belongs to, the outermost first, separated by `:`. */
export const MARK = "PAWL_CALL"

/** The variable that a call's processes carry, also when this engine runs inside of another call. */
export function markFor(token: string, environment: Readonly<Record<string, string>>): Record<string, string> {
  const outer = environment[MARK]
  return { [MARK]: outer ? `${outer}:${token}` : token }
}

/**
 * The live processes of a call: those in the process group or the session of `leader`, and those that carry `token` in
 * their environment, wherever they have gone. Undefined where the system does not tell (it does on Linux).
 */
export async function callProcesses(leader: number, token: string): Promise<readonly number[] | undefined> {
  const names = await readdir("/proc").catch(() => [])
  const ids = names.filter((name) => /^\d+$/.test(name))
  if (ids.length === 0) return undefined
  const belongs = await Promise.all(ids.map((id) => belongsTo(id, leader, token)))
  return ids.filter((_, index) => belongs[index]).map(Number)
}

async function belongsTo(id: string, leader: number, token: string): Promise<boolean> {
  // Of processes that ended meanwhile, or belong to others, nothing is to be read.
  const status = await readFile(`/proc/${id}/stat`, "latin1").catch(() => "")
  const [state, , group, session] = status.slice(status.lastIndexOf(")") + 2).split(" ")
  // A zombie has ended; in a container it may wait long for somebody to take note.
  if (state === undefined || state === "" || "ZX".includes(state)) return false
  if (Number(group) === leader || Number(session) === leader) return true
  return isMarked(await readFile(`/proc/${id}/environ`, "latin1").catch(() => ""), token)
}

function isMarked(environment: string, token: string): boolean {
  if (!environment.includes(token)) return false
  const mark = environment.split("\0").find((entry) => entry.startsWith(`${MARK}=`)) ?? ""
  return mark
    .slice(MARK.length + 1)
    .split(":")
    .includes(token)
}
