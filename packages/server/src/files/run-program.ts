import { execFile } from "node:child_process"

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/**
 * Returns the output of a program that is run without a shell, whatever its exit code; undefined if it cannot be started or
 * prints too much.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { directory }: { readonly directory: string },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: directory, maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout) => {
      resolve(error && typeof error.code !== "number" ? undefined : stdout)
    })
  })
}
