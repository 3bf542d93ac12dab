import { describe, expect, it } from "vitest"
import { remindersFor, type ReminderInput } from "./reminders.ts"

const kinds = (input: Partial<ReminderInput>) => {
  const whole = { session: {}, agent: "build", isQueued: false, since: undefined, ...input }
  return remindersFor(whole).map(({ kind, text }) => {
    expect(text).toMatch(/^<system-reminder>\n.+\n<\/system-reminder>$/s)
    return kind
  })
}
const asked = (at: number) => ({ id: `msg_0${at}`, time: { created: at } }) as const
const pin = (text: string, at: number) => ({ id: `pin_0${at}`, text, time: { created: at } })

it("are none for a message that nothing is special about", () => {
  expect(kinds({})).toEqual([])
  expect(kinds({ session: { agent: "build" } })).toEqual([])
})

describe("plan mode", () => {
  it("is announced with every message to the agent `plan`", () => {
    expect(kinds({ agent: "plan" })).toEqual(["plan"])
    expect(kinds({ agent: "plan", session: { agent: "plan" } })).toEqual(["plan"])
  })

  it("ends with the first message to `build`, and with no other agent, since nobody knows what that one may do", () => {
    const session = { agent: "plan" }
    expect(remindersFor({ session, agent: "build", isQueued: false, since: asked(1) })[0]?.text).toContain(
      "Plan mode is over",
    )
    expect(kinds({ session, agent: "review" })).toEqual([])
  })
})

it("tell of a message that came in the middle of work", () => {
  expect(kinds({ isQueued: true })).toEqual(["queued"])
})

it("bring the notes that were pinned since the message before", () => {
  const session = { pins: [pin("old", 1), pin("new", 5)] }
  expect(remindersFor({ session, agent: "build", isQueued: false, since: asked(3) })[0]?.text).toContain("- new")
  expect(remindersFor({ session, agent: "build", isQueued: false, since: asked(3) })[0]?.text).not.toContain("- old")
  expect(kinds({ session, since: asked(6) })).toEqual([])
})

it("come in one order", () => {
  expect(kinds({ agent: "plan", isQueued: true, session: { pins: [pin("x", 1)] } })).toEqual(["plan", "queued", "pins"])
})
