import type { Config } from "@pawl/config"

/** Keys that are read only once, when the engine and its tools are created. */
const LATER: readonly (keyof Config)[] = [
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

/** The keys that say something else now, and count only when pawl is started again. */
export function restartRequiredKeys(before: Config, after: Config): string[] {
  return LATER.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
}
