import { homedir } from "node:os"
import { join } from "node:path"
import type { ProcessGuard } from "@pawl/process-guard"
import { createSecrets, secretVariables } from "@pawl/secrets"
import type { RuntimeHost } from "./host.ts"
import { noLog } from "./logging/log.ts"

/** Returns a host for a program that embeds pawl: this process, with its environment and without a log file. */
export function processHost(changes: Partial<RuntimeHost> = {}): RuntimeHost {
  // The guard marks the environment that children inherit.
  const environment = changes.environment ? { ...changes.environment } : process.env
  const secrets = createSecrets()
  for (const [name, value] of secretVariables(environment)) secrets.add(value, name)
  let guarding: Promise<ProcessGuard> | undefined
  return {
    directory: process.cwd(),
    home: homedir(),
    demoDirectory: join(import.meta.dirname, "scripts"),
    secrets,
    stderr: process.stderr,
    log: noLog,
    watchThread: () => undefined,
    guard: () => (guarding ??= import("@pawl/process-guard").then(({ guardProcess }) => guardProcess(environment))),
    explainExit: () => () => undefined,
    ...changes,
    environment,
  }
}
