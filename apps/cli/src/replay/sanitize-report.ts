import type { Recording } from "@pawl/provider-replay"
import type { Sanitized } from "@pawl/replay/sanitize"
import { bytes, plural } from "@pawl/terminal-text/quantity"
import { plainLine } from "@pawl/plain-text"

const SHOWN = 12

/** Renders the facts that a user needs to decide whether to send the file. */
export function reportLines({ to, level, counts, places, recording, isAlike }: Sanitized): string[] {
  const replaced = [...counts].filter(([kind]) => kind !== "unchecked").toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = [...places].flatMap(([line, kinds]) => {
    const found = [...kinds].filter((kind) => kind !== "unchecked")
    return found.length > 0 ? [`  line ${line}: ${found.join(", ")}`] : []
  })
  const more = lines.length - SHOWN
  return [
    `written: ${plainLine(to)}`,
    `replaced: ${replaced.length === 0 ? "nothing was found" : replaced.map(([kind, count]) => `${count} × ${kind}`).join(", ")}`,
    ...lines.slice(0, SHOWN),
    ...(more > 0 ? [`  and in ${plural(more, "other line")}`] : []),
    ...leftLines(recording, level, counts.get("unchecked") ?? 0),
    isAlike
      ? "The copy replays to the same verdict as the recording."
      : "The copy does not replay to the same verdict as the recording: what was replaced matters. Compare both with pawl replay.",
    "Look it through before you send it: what looks like nothing in particular is not found.",
  ]
}

function leftLines({ prompts, replies, results, tools }: Recording, level: string, unchecked: number): string[] {
  const binary =
    unchecked > 0
      ? [`  ${plural(unchecked, "image or other binary content", "images or other binary contents")}, not looked into`]
      : []
  if (level === "content") {
    return [
      "left: names of tools, agents, models and arguments, forms of arguments, ids, figures, and the length of every text",
      ...binary,
    ]
  }
  const size = results.reduce(
    (sum, { outcome }) => sum + (outcome.status === "completed" ? outcome.output.length : outcome.error.length),
    0,
  )
  return [
    "left, as it was said, read and written:",
    `  ${plural(prompts.length, "prompt")}, ${plural(replies.length, "reply", "replies")}, ${plural(results.length, "tool result")} (${bytes(size)})`,
    ...(tools.size > 0 ? ["  system prompts with instruction files, and definitions of tools"] : []),
    ...binary,
    "  Without it: --without-content keeps the shape alone.",
  ]
}
