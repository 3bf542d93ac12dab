import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { ReadRules } from "./read-rules.ts"

const MOST_MATCHES = 10

interface Match {
  /** Absent where the name is no UTF-8. */
  readonly path: { readonly text?: string }
}

/** The first lines that the regular expression fits, in the form of ripgrep's own JSON, of files that may be read. */
export async function findText(
  ripgrep: string,
  { directory, pattern, rules }: { readonly directory: string; readonly pattern: string; readonly rules: ReadRules },
): Promise<unknown[]> {
  const args = ["--json", "--hidden", "--glob", "!.git", "--regexp", pattern, "./"]
  const child = spawn(ripgrep, args, { cwd: directory, stdio: ["ignore", "pipe", "ignore"] })
  // Where it cannot be started there are no lines.
  child.on("error", () => undefined)
  const found: unknown[] = []
  try {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
      if (!line.startsWith('{"type":"match"')) continue
      const { data } = JSON.parse(line) as { readonly data: Match }
      const path = data.path.text?.replace(/^\.\//, "") ?? ""
      if ((await rules(path)) === "allow") found.push({ ...data, path: { text: path } })
      if (found.length === MOST_MATCHES) break
    }
  } finally {
    child.kill()
  }
  return found
}
