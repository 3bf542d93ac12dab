import { describe, expect, it } from "vitest"
import { session } from "../test/view-values.ts"
import { createNotifications, notificationSequence } from "./notifications.ts"
import type { OpenQuestion } from "./state/view.ts"

const busy = { session, status: "busy", questions: [] } as const
const idle = { session, status: "idle", questions: [] } as const
const asking = { ...busy, questions: [{} as OpenQuestion] }

describe("notifications", () => {
  it("tell of an answer and of a question while the terminal has no focus", () => {
    const texts: string[] = []
    const notifications = createNotifications((text) => texts.push(text))
    for (const view of [busy, asking, busy, idle]) notifications.follow(view)
    expect(texts).toEqual([])

    notifications.focus(false)
    for (const view of [busy, asking, asking, busy, idle, idle]) notifications.follow(view)

    expect(texts).toEqual(["pawl asks: A session", "pawl is done: A session"])
  })

  it("tell of nothing after the focus is back", () => {
    const texts: string[] = []
    const notifications = createNotifications((text) => texts.push(text))
    notifications.focus(false)
    notifications.follow(busy)
    notifications.focus(true)

    notifications.follow(idle)

    expect(texts).toEqual([])
  })

  it.each([
    [{ TERM_PROGRAM: "WezTerm" }, "\u001B]9;done, a\u0007"],
    [{ VTE_VERSION: "7600" }, "\u001B]777;notify;pawl;done, a\u0007"],
    [{ TERM_PROGRAM: "WezTerm", TMUX: "/tmp/tmux" }, "\u0007"],
    [{ TERM: "xterm" }, "\u0007"],
  ])("in %j are %j", (environment, sequence) => {
    expect(notificationSequence("done; a\u001B]0;b\u0007", "osc", environment)).toBe(sequence)
  })

  it("are a bell if the user wants that", () => {
    expect(notificationSequence("done", "bell", { TERM_PROGRAM: "WezTerm" })).toBe("\u0007")
  })
})
