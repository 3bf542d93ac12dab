import { type Child, startChild as start } from "@pawl/storage-testkit/processes"

/**
 * Runs a script of this folder on the sources, in a process of its own that does not outlive the test; `through` is a
 * command that starts it.
 */
export function startChild(script: string, args: readonly string[], through: readonly string[] = []): Child {
  return start(new URL(script, import.meta.url), args, { through, conditions: ["@pawl/source"] })
}
