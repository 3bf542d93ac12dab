/** What usage can be told by. By itself: help texts name them. */
export const ASPECTS = ["day", "hour", "model", "agent", "tool", "project", "session"] as const
