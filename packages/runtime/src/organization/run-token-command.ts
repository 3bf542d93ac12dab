import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import type { RuntimeHost } from "../host.ts"
import { keyVariables } from "@pawl/provider-registry/presets"

const KEYS: ReadonlySet<string> = new Set([...keyVariables, "PAWL_API_KEY"])

/**
 * Returns the token that a command prints. The command may use this terminal. It runs in a directory where no project
 * can place files, and its environment has no provider keys. Rejects with a sentence if it prints no token.
 */
export async function runTokenCommand(
  command: readonly string[],
  { environment, guard, home = "/" }: Pick<RuntimeHost, "environment" | "guard" | "home">,
  signal: AbortSignal,
): Promise<string> {
  const [program = "", ...args] = command
  const [{ createProcessTable, DEFAULT_GRACE, startGuarded, stopProcesses }, guardian] = await Promise.all([
    import("@pawl/process-guard"),
    guard(),
  ])
  signal.throwIfAborted()
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !KEYS.has(name)))
  const { child, call, release } = startGuarded(guardian, { env }, (marked) => {
    return spawn(program, args, { cwd: home, env: marked, stdio: ["inherit", "pipe", "inherit"], signal })
  })
  // The signal ends only the program, but its child processes may keep its output open.
  const stop = () => void stopProcesses(call, createProcessTable(), DEFAULT_GRACE)
  signal.addEventListener("abort", stop)
  const ended = once(child, "close").then(
    ([code]) => (code === 0 ? undefined : `ended with ${String(code)}`),
    (error: NodeJS.ErrnoException) => `could not be started: ${error.code ?? error.message}`,
  )
  const [printed, failure] = await Promise.all([text(child.stdout).catch(() => ""), ended])
  signal.removeEventListener("abort", stop)
  release()
  signal.throwIfAborted()
  const token = printed.trim()
  if (failure !== undefined) throw new Error(`${program} ${failure}. The sign-in failed.`)
  if (token === "") throw new Error(`${program} printed no token. The sign-in failed.`)
  return token
}
