/** Aspects by which usage is grouped. In a file of their own, because help texts list them. */
export const ASPECTS = ["day", "hour", "model", "agent", "tool", "project", "session"] as const
