import { execFile } from "node:child_process"

/** Returns the first line of a program's `--version`; undefined if the program cannot be started. */
export function programVersion(program: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, ["--version"], { env: environment, timeout: 5000 }, (error, stdout) => {
      resolve(error ? undefined : (stdout.split("\n")[0] ?? "").trim())
    })
  })
}
