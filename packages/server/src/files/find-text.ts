import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { ReadRules } from "./read-rules.ts"

const MAX_MATCHES = 10

interface Match {
  /** Missing if the name is not valid UTF-8. */
  readonly path: { readonly text?: string }
}

/** Returns the first lines in readable files that match the regular expression, in the form of ripgrep's JSON. */
export async function findText(
  ripgrep: string,
  { directory, pattern, rules }: { readonly directory: string; readonly pattern: string; readonly rules: ReadRules },
): Promise<unknown[]> {
  const args = ["--json", "--hidden", "--glob", "!.git", "--regexp", pattern, "./"]
  const child = spawn(ripgrep, args, { cwd: directory, stdio: ["ignore", "pipe", "ignore"] })
  // If ripgrep cannot be started, there are no results.
  child.on("error", () => undefined)
  const found: unknown[] = []
  try {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
      if (!line.startsWith('{"type":"match"')) continue
      const { data } = JSON.parse(line) as { readonly data: Match }
      const path = data.path.text?.replace(/^\.\//, "") ?? ""
      if ((await rules(path)) === "allow") found.push({ ...data, path: { text: path } })
      if (found.length === MAX_MATCHES) break
    }
  } finally {
    child.kill()
  }
  return found
}
