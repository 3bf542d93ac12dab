import type { Part } from "@pawl/core"
import { describe, expect, it, vi } from "vitest"
import { capturedOutput, sharedTerminal } from "../../test/host.ts"
import { doneCall, event, part, runningCall, sessionOf, textPart } from "../../test/parts.ts"
import type { Output } from "../output/output.ts"
import { createTheme } from "@pawl/terminal-text/theme"
import { createTextView } from "./text-view.ts"

const theme = createTheme(false)
const updated = (each: Part) => event("message.part.updated", { sessionID: "ses_1", part: each, time: 0 })

function viewOn(outputs: { readonly stdout: Output; readonly stderr: Output; readonly showsThinking?: boolean }) {
  const view = createTextView({ ...outputs, theme, directory: "/srv", now: () => 0, tick: () => 0 })
  return {
    view,
    show: (...parts: Part[]) => {
      for (const each of parts) view.handle(updated(each))
    },
    /** A text as it comes from a model. */
    stream: (...deltas: string[]) => {
      const begun = part({ type: "text", text: "", time: { start: 0 } })
      view.handle(updated(begun))
      for (const delta of deltas) {
        const { id: partID, sessionID, messageID } = begun
        view.handle(event("message.part.delta", { sessionID, messageID, partID, field: "text", delta }))
      }
      return { ...begun, text: deltas.join(""), time: { start: 0, end: 1 } }
    },
  }
}

describe("on a terminal", () => {
  it("breaks a streaming answer between words, and does not repeat it at its end", () => {
    const terminal = sharedTerminal(20)
    const { view, show, stream } = viewOn(terminal)

    show(stream("The qui", "ck brown fox ju", "mps over."))
    view.end()

    expect(terminal.text()).toBe("The quick brown fox\njumps over.\n")
  })

  it("shows a text whole that did not stream", () => {
    const terminal = sharedTerminal(20)
    const { view, show } = viewOn(terminal)

    show(textPart("The quick brown fox jumps over."))
    view.end()

    expect(terminal.text()).toBe("The quick brown fox\njumps over.\n")
  })

  it("shows three lines of what the model thought, set apart", () => {
    const terminal = sharedTerminal(20)
    const { view, show } = viewOn(terminal)

    show(
      doneCall("bash", { command: "ls" }, { metadata: { exit: 0 } }),
      part({
        type: "reasoning",
        text: "one two three four five six seven eight nine ten.",
        time: { start: 0, end: 1 },
      }),
    )
    view.end()

    expect(terminal.text()).toBe("● bash ls\n\n  one two three\n  four five six\n  seven eight nine …\n")
  })

  it("shows all that the model thought where somebody asks for it", () => {
    const terminal = sharedTerminal(20)
    const { view, show } = viewOn({ ...terminal, showsThinking: true })

    show(
      part({
        type: "reasoning",
        text: "one two three four five six seven eight\n\nnine ten.",
        time: { start: 0, end: 1 },
      }),
    )
    view.end()

    expect(terminal.text()).toBe("  one two three\n  four five six\n  seven eight\n\n  nine ten.\n")
  })

  it("says what it waits for", () => {
    const terminal = sharedTerminal()
    const { view, show } = viewOn(terminal)
    const call = runningCall("bash", { command: "sleep 9" })

    view.handle(event("session.status", { sessionID: "ses_1", status: { type: "busy" } }))
    expect(terminal.text()).toContain("waiting for the model")
    show(call)
    expect(terminal.text()).toMatch(/^\S bash sleep 9$/)
    show(runningCall("read", { filePath: "a" }))
    expect(terminal.text()).toMatch(/^\S bash sleep 9 and 1 more$/)
    view.end()
    expect(terminal.text()).toBe("")
  })

  it("says that an answer broke off and comes again", () => {
    const terminal = sharedTerminal(40)
    const { view, stream } = viewOn(terminal)
    const { id: partID, sessionID, messageID } = stream("Half an ans")

    view.handle(event("message.part.removed", { sessionID, messageID, partID }))
    const status = {
      type: "retry",
      attempt: 1,
      attempts: 5,
      message: "The connection to the server was reset.",
      next: 2000,
    } as const
    view.handle(event("session.status", { sessionID, status }))
    view.end()

    expect(terminal.text()).toBe(
      "Half an ans\n\nThe connection to the server was reset.\n· trying again in 2s (attempt 2 of 5)\n" +
        "the text above broke off and comes once\nmore\n",
    )
  })

  it("counts down to the next attempt", () => {
    const terminal = sharedTerminal()
    const { view } = viewOn(terminal)
    const status = { type: "retry", attempt: 1, attempts: 5, message: "Busy.", next: 12_400 } as const

    view.handle(event("session.status", { sessionID: "ses_1", status }))

    expect(terminal.text()).toMatch(
      /^Busy\. · trying again in 13s \(attempt 2 of 5\)\n\S waiting to try again, attempt 2 of 5 · 13s left$/,
    )
    view.end()
  })

  it("counts down to the end of the lease that it waits for", () => {
    const terminal = sharedTerminal()
    const { view } = viewOn(terminal)
    const holder = { epoch: 1, ends: 5, remaining: 8400, process: { host: "build-2", pid: 41 }, isAlive: false }

    view.waiting("ses_1", holder)

    expect(terminal.text().replaceAll("\n", " ")).toBe(
      "Session ses_1 belongs to process 41 on build-2, which this machine cannot check. Waiting for its lease, which ends in 9s unless it is renewed. ⠋ waiting for the lease of another process · 9s left",
    )
    view.waiting("ses_1", undefined)
    view.end()
    expect(terminal.text()).not.toContain("left")
  })

  it("keeps its hands off while a question is open", async () => {
    const terminal = sharedTerminal()
    const { view, show, stream } = viewOn(terminal)

    await view.ask(["? read .env"], async () => {
      show(doneCall("bash", { command: "ls" }, { metadata: { exit: 0 } }), stream("And more."))
      terminal.stderr.write("allow? y\n")
    })
    view.end()

    expect(terminal.text()).toBe("? read .env\nallow? y\n● bash ls\n\nAnd more.\n")
  })

  it("breaks a long error between words", () => {
    const terminal = sharedTerminal(30)
    const { view } = viewOn(terminal)

    view.error({ name: "APIError", data: { message: "The server is busy and\u001B[2J cannot answer." } }, "ses_1")

    expect(terminal.text()).toBe("pawl: The server is busy and\ncannot answer.\n")
  })
})

describe("elsewhere", () => {
  it("prints whole texts as they are, without a line break of its own", () => {
    const [stdout, stderr] = [capturedOutput(), capturedOutput()]
    const { view, show, stream } = viewOn({ stdout, stderr })
    const long = "word ".repeat(100).trimEnd()

    show(stream(`${long}\n`), textPart("日本語\n\n    code\n"))
    view.end()

    expect(stdout.text()).toBe(`${long}\n\n日本語\n\n    code\n`)
    expect(stderr.text()).toBe("")
  })

  it("prints nothing of an answer that broke off", () => {
    const [stdout, stderr] = [capturedOutput(), capturedOutput()]
    const { view, show, stream } = viewOn({ stdout, stderr })

    stream("Half an ans")
    show(textPart("The answer."))
    view.end()

    expect(stdout.text()).toBe("The answer.\n")
  })

  it("prints no escape codes, whatever a model says", () => {
    const [stdout, stderr] = [capturedOutput(), capturedOutput()]
    const { view, show } = viewOn({ stdout, stderr })

    show(textPart("\u001B[31mred\u001B[0m"), doneCall("\u001B[1mbash", { command: "\u001B[2J" }))
    view.end()

    expect(stdout.text()).toBe("red\n")
    expect(stderr.text()).toBe("● bash\n")
  })
})

it("tells of compactions and notices in a line each", () => {
  const [stdout, stderr] = [capturedOutput(), capturedOutput()]
  const { view } = viewOn({ stdout, stderr })
  const sessionID = "ses_1" as const
  const compacted = { sessionID, auto: true, before: 14_200, after: 3900, dropped: [] }

  view.handle(event("session.compacting", { sessionID, auto: true, background: true }))
  view.handle(event("session.compacted", { ...compacted, strategy: "prune", cost: 0 }))
  view.handle(event("session.compacting", { sessionID, auto: true, background: false }))
  view.handle(
    event("session.compacted", { ...compacted, strategy: "extract", cost: 0.01, reason: "It\u001B[2J broke." }),
  )
  view.handle(event("session.notice", { sessionID, message: "Not\nread." }))
  view.handle(event("cache.bust", { sessionID, reason: "tools", firstChangedBlock: "tools", owner: "plugin a" }))
  view.end()

  expect(stdout.text()).toBe("")
  expect(stderr.text().split("\n")).toEqual([
    "the context is filling up: a summary is prepared while the work goes on",
    "old outputs of tools cleared: 14.2k → 3.9k tokens",
    "the context is full: summarizing older messages",
    "compacted to an extract: 14.2k → 3.9k tokens · $0.0100 · no summary of a model: It broke.",
    "Not read.",
    "",
  ])
})

it("shows what a subagent does below the call that it works for", () => {
  const stderr = capturedOutput()
  const { view, show } = viewOn({ stdout: capturedOutput(), stderr })
  const subagent = { sessionID: "ses_2", name: "explore" }
  const running = runningCall("task", { subagent_type: "explore", description: "Find it" })
  const output = "<task_result>\nIn src.\n</task_result>"
  const metadata = { agent: "explore", cost: 0, status: "completed" }

  show(running, running)
  view.handle(updated(doneCall("list", { path: "." }, { title: ".", metadata: { count: 1 } })), subagent)
  view.handle(updated(textPart("not the answer")), subagent)
  show({ ...doneCall("task", {}, { title: "Find it", output, metadata }), id: running.id })

  expect(stderr.text()).toBe(
    "▸ task explore · Find it\n  explore › ● list . · 1 entry\n● task Find it · explore · 0.0s\n    In src.\n",
  )
})

it("tells of another title once the work has begun", () => {
  const stderr = capturedOutput()
  const { view, show } = viewOn({ stdout: capturedOutput(), stderr })
  const titled = (title: string) => event("session.updated", { sessionID: "ses_1", info: sessionOf({ title }) })

  view.handle(titled("fix the sum please"))
  show(part({ type: "step-start" }))
  view.handle(titled("fix the sum please"))
  view.handle(titled("Wrong sum"))

  expect(stderr.text()).toBe("title: Wrong sum\n")
})

describe("a silent model", () => {
  const wait = { sessionID: "ses_1", messageID: "msg_1", model: { providerID: "acme", modelID: "large" } } as const
  const waiting = (text: string, isAlive = true) => event("session.waiting", { ...wait, waited: 10_000, isAlive, text })

  it("is named with what it has said so far where the answer is not to be seen yet", () => {
    const stderr = capturedOutput()
    const { view } = viewOn({ stdout: capturedOutput(), stderr })

    view.handle(waiting(""))
    view.handle(waiting(`${"x".repeat(200)}\nthe end`, false))

    expect(stderr.text()).toBe(
      "waiting for acme/large for 10s: its server keeps the connection alive\n" +
        `waiting for acme/large for 10s: its server sends nothing · so far: …${"x".repeat(112)} the end\n`,
    )
  })

  it("is named on a terminal where it stopped in the middle of a line, which shows what it has said", () => {
    const terminal = sharedTerminal(80)
    const { view, stream } = viewOn(terminal)

    vi.useFakeTimers()
    stream("The quick ", "brown ")
    vi.runOnlyPendingTimers()
    vi.useRealTimers()
    view.handle(waiting("The quick brown "))
    view.end()

    expect(terminal.text()).toBe(
      "The quick\n\nwaiting for acme/large for 10s: its server keeps the connection alive\n\n brown\n",
    )
  })

  it("of a subagent is named with it", () => {
    const stderr = capturedOutput()
    const { view } = viewOn({ stdout: capturedOutput(), stderr })

    view.handle(waiting(""), { sessionID: "ses_2", name: "explore" })

    expect(stderr.text()).toContain("explore: waiting for acme/large for 10s")
  })
})
