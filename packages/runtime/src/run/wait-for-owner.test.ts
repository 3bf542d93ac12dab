import { type LeaseHolder, SessionBusyError, type SessionID } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { workWhenFree } from "./wait-for-owner.ts"

const sessionID = "ses_1" as SessionID
const process = { host: "elsewhere", pid: 7 }
const holder: LeaseHolder = { epoch: 3, ends: 1000, remaining: 900, process, isAlive: false }

/** Work that finds the session taken as long as there are holders; each look at the lease takes the next one. */
function scene(first: LeaseHolder, ...looks: (LeaseHolder | undefined)[]) {
  const shown: (number | undefined)[] = []
  const stop = new AbortController()
  let isFree = false
  let attempts = 0
  const storage = {
    async leaseHolder() {
      const next = looks.shift()
      isFree = next === undefined
      return next
    },
  }
  const work = async () => {
    attempts++
    if (!isFree) throw new SessionBusyError(sessionID, first)
    return "done"
  }
  const show = (shownHolder: LeaseHolder | undefined) => shown.push(shownHolder?.remaining)
  const run = () => workWhenFree(work, { storage, sessionID, signal: stop.signal, show, pollMs: 0 })
  return { run, shown, stop, attempts: () => attempts }
}

it("works when the lease of a process that cannot be seen has ended", async () => {
  const { run, shown, attempts } = scene(holder, { ...holder, remaining: 500 }, { ...holder, remaining: 20 }, undefined)
  expect(await run()).toBe("done")
  expect(shown).toEqual([900, 500, 20, undefined])
  expect(attempts()).toBe(2)
})

it.each([
  ["renews its lease", { ...holder, ends: 6000, remaining: 5000 }],
  ["is followed by another one", { ...holder, epoch: 4 }],
])("gives up when the owner %s", async (_what, next) => {
  const { run, attempts } = scene(holder, next)
  await expect(run()).rejects.toThrow(
    "Session ses_1 is being worked on by another process. Wait for it to finish, or end that process (pid 7 on elsewhere).",
  )
  expect(attempts()).toBe(1)
})

it.each([
  ["alive", { ...holder, isAlive: true }],
  ["not to be free for long", { ...holder, remaining: 3_600_000 }],
])("does not wait when the owner is known to be %s", async (_what, first) => {
  const { run, shown } = scene(first, undefined)
  await expect(run()).rejects.toThrow(SessionBusyError)
  expect(shown).toEqual([])
})

it("ends the wait when it is told to stop", async () => {
  const { run, stop, attempts } = scene(holder, holder, holder, holder)
  stop.abort("SIGINT")
  expect(await run()).toBeUndefined()
  expect(attempts()).toBe(1)
})

it("passes other errors on", async () => {
  const failing = async () => Promise.reject(new Error("no"))
  const options = { storage: {}, sessionID, signal: new AbortController().signal, show: () => undefined }
  await expect(workWhenFree(failing, options)).rejects.toThrow("no")
})
