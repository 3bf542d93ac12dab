import { execFile, execFileSync } from "node:child_process"
import { MARK, marksIn } from "./marks.ts"
import type { ProcessRow } from "./process-row.ts"

/** Options that make `ps` list all processes with their environments. Linux uses /proc instead. */
export const PS_OPTIONS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "-axwwE",
  freebsd: "-axwwe",
  netbsd: "-axwwe",
  openbsd: "-axwwe",
  linux: "axwwe",
}

// One option per field, because the BSDs take everything after `=` as a heading.
const FIELDS = ["pid", "ppid", "pgid", "uid", "stat", "lstart", "command"].flatMap((name) => ["-o", `${name}=`])
/** A fixed PATH, so that no directory of a project is searched, and a fixed format of times. */
const ENVIRONMENT = { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC0" }
const RUN = { env: ENVIRONMENT, encoding: "latin1", maxBuffer: 64 * 1024 * 1024, timeout: 10_000 } as const

//             pid     ppid    pgid    uid      stat   lstart: Mon Nov 23 22:23:33 2026          command and environment
const LINE = /^ *(\d+) +(\d+) +(\d+) +(-?\d+) +(\S+) +(\w{3} \w{3} [ \d]?\d \d\d:\d\d:\d\d \d{4})(?: (.*))?$/

/** Returns undefined if `ps` cannot be run. */
export function psRows(options: string): Promise<readonly ProcessRow[] | undefined> {
  return new Promise((resolve) => {
    execFile("ps", [options, ...FIELDS], RUN, (error, output) => resolve(error ? undefined : parsePs(output)))
  })
}

/** Returns no rows if `ps` cannot be run. */
export function psRowsSync(options: string): readonly ProcessRow[] {
  try {
    return parsePs(execFileSync("ps", [options, ...FIELDS], { ...RUN, stdio: ["ignore", "pipe", "ignore"] }))
  } catch {
    return []
  }
}

/** Parses the output of `ps`. Ignores unknown lines and zombies. */
export function parsePs(output: string): readonly ProcessRow[] {
  return output.split("\n").flatMap((line) => {
    const [, id, parent, group, user, state = "", start = "", command = ""] = LINE.exec(line) ?? []
    if (id === undefined || "ZX".includes(state.charAt(0))) return []
    const numbers = { id: Number(id), parent: Number(parent), group: Number(group), user: Number(user) }
    return [{ ...numbers, session: 0, start, marks: marksOf(command) }]
  })
}

/** The environment follows the arguments, so the last variable with the name counts. */
function marksOf(command: string): readonly string[] {
  const at = command.lastIndexOf(` ${MARK}=`)
  if (at === -1) return []
  return marksIn(command.slice(at + MARK.length + 2).split(" ", 1)[0])
}
