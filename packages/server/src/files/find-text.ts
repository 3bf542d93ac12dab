import { runProgram } from "./run-program.ts"

const MOST_MATCHES = 10

interface Match {
  /** Absent where the name is no UTF-8. */
  readonly path: { readonly text?: string }
}

/** Lines that the regular expression fits, in the form of ripgrep's own JSON. */
export async function findText(ripgrep: string, directory: string, pattern: string): Promise<unknown[]> {
  const args = ["--json", "--hidden", "--glob", "!.git", "--regexp", pattern, "./"]
  const end = await runProgram(ripgrep, args, { directory })
  const found: unknown[] = []
  for (const line of (end?.stdout ?? "").split("\n")) {
    if (!line.startsWith('{"type":"match"')) continue
    const { data } = JSON.parse(line) as { readonly data: Match }
    found.push({ ...data, path: { text: data.path.text?.replace(/^\.\//, "") ?? "" } })
    if (found.length === MOST_MATCHES) break
  }
  return found
}
