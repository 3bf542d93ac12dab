const LEVELS = ["debug", "info", "warn", "error"] as const

export type LogLevel = (typeof LEVELS)[number]
/** Lowest level that is logged. */
export type LogThreshold = LogLevel | "off"

export function isLogged(level: LogLevel, threshold: LogThreshold): boolean {
  return threshold !== "off" && LEVELS.indexOf(level) >= LEVELS.indexOf(threshold)
}

/** Returns undefined for an unknown level, such as an empty variable. */
export function toThreshold(text: string | undefined): LogThreshold | undefined {
  return text === "off" ? text : LEVELS.find((level) => level === text)
}
