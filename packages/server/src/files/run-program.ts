import { execFile } from "node:child_process"

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

export interface ProgramEnd {
  readonly stdout: string
  readonly code: number
}

/** Runs a program to its end without a shell. Returns undefined if it cannot be started or its output is too long. */
export function runProgram(
  program: string,
  args: readonly string[],
  { directory, input }: { readonly directory: string; readonly input?: string },
): Promise<ProgramEnd | undefined> {
  return new Promise((resolve) => {
    const options = { cwd: directory, maxBuffer: MAX_OUTPUT_BYTES, env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" } }
    const child = execFile(program, args, options, (error, stdout) => {
      if (!error) resolve({ stdout, code: 0 })
      else resolve(typeof error.code === "number" ? { stdout, code: error.code } : undefined)
    })
    // The program may end without reading its input.
    child.stdin?.on("error", () => undefined)
    child.stdin?.end(input ?? "")
  })
}
