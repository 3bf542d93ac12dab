import type { Config } from "@pawl/config"

/** Keys that are read only once, when the engine and its tools are created. */
const RESTART_REQUIRED: readonly (keyof Config)[] = [
  ...([
    "storage",
    "data",
    "compaction",
    "repetition",
    "deadlines",
    "retry",
    "tool_output",
    "environment",
    "ask",
  ] as const),
  ...(["subagent_depth", "shell", "sandbox", "formatter", "check", "webfetch", "skills"] as const),
]

/** Returns the changed keys that have an effect only after a restart. */
export function restartRequiredKeys(before: Config, after: Config): string[] {
  return RESTART_REQUIRED.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
}
