import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import sharp from "sharp"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { configure, isSummarizing, said, SUMMARY } from "./small-window.ts"

it("finds again what a summary has replaced", async () => {
  const place = await desk()
  const fill = "head -c 4000 /dev/zero | tr '\\0' x | fold -w 80"
  let steps = 0
  await using server = await modelServer({
    replies(request) {
      if (isSummarizing(request)) return reply(text(SUMMARY))
      const newest = said(request).at(-1) ?? ""
      if (newest.includes("What was the number?")) return reply(call("recall", { query: "drawer magenta" }))
      if (/^prt_.*magenta holds 4711/s.test(newest)) return reply(text("It was 4711."))
      if (steps++ === 0) return reply(call("bash", { command: `cat drawer.txt; ${fill}` }))
      return steps < 10 ? reply(call("bash", { command: `echo ${steps}; ${fill}` })) : reply(text("Done."))
    },
  })
  await configure(place.configuration, server)
  // The ledger keeps commands: only the output tells the number.
  await writeFile(join(place.project, "drawer.txt"), "drawer magenta holds 4711\n")
  expect(await place.pawl("run", "Open all drawers.")).toMatchObject({ code: 0, stdout: "Done.\n" })

  const { code, stdout, stderr } = await place.pawl("run", "-c", "What was the number?")

  const asking = server.requests.find((request) => said(request).at(-1)?.includes("What was the number?"))
  expect(said(asking).join()).not.toContain("4711")
  expect({ code, stdout }).toEqual({ code: 0, stdout: "It was 4711.\n" })
  expect(stderr).toContain("● recall")
})

it("offers the same tools to a run and to the report on its context", async () => {
  const place = await desk()
  await using server = await modelServer({ replies: [reply(text("Yes."))] })
  await configure(place.configuration, server)
  await place.pawl("run", "Anything?")

  const { stdout } = await place.pawl("session", "context", "--format", "json")

  const names = chatRequest(server.requests[0]).tools?.map((tool) => tool.function.name)
  expect(names).toContain("recall")
  expect(JSON.parse(stdout)).toMatchObject({ tools: names?.length })
})

/** A model that makes the same call for ever, unless it is told not to. */
const stubborn = () =>
  modelServer({
    replies: (request) => {
      const isTold = said(request).at(-1)?.includes("This call was not run")
      return isTold ? reply(text("I see.")) : reply(call("bash", { command: "echo the same" }))
    },
  })

it("ends a run that repeats itself, with the reason and what to do", async () => {
  const place = await desk()
  await using server = await stubborn()
  await configure(place.configuration, server, { repetition: { response: "stop" } })

  const { code, stderr } = await place.pawl("run", "Go on.")

  expect(code).toBe(1)
  expect(stderr).toMatch(/pawl: The model is about to repeat the call bash .* for the 3rd time/)
  expect(stderr).toContain("send a message to go on")
})

it("tells the model instead where the configuration wants that", async () => {
  const place = await desk()
  await using server = await stubborn()
  await configure(place.configuration, server, { repetition: { response: "nudge" } })

  expect(await place.pawl("run", "Go on.")).toMatchObject({ code: 0, stdout: "I see.\n" })
})

it("says what to do about a window that nothing fits into", async () => {
  const place = await desk()
  await using server = await modelServer({ replies: [reply(text("Never asked."))] })
  await configure(place.configuration, server)
  await writeFile(join(place.project, "AGENTS.md"), "Mind the gap. ".repeat(5000))

  const { code, stderr } = await place.pawl("run", "Go on.")

  expect(code).toBe(1)
  expect(stderr).toContain("shorten the instruction files")
  expect(stderr).toMatch(/See what fills the window: pawl session context ses_\w+\. /)
  expect(server.requests).toEqual([])
})

it("draws an image smaller that is too large for the model", async () => {
  const place = await desk()
  await using server = await modelServer({ replies: [reply(text("A red one."))] })
  const create = { width: 4000, height: 1000, channels: 3, background: "red" } as const
  await sharp({ create }).png().toFile(join(place.project, "wide.png"))

  await place.pawl("run", "-m", "custom/test", "--base-url", server.url, "-f", "wide.png", "What is it?")

  const [, base64 = ""] = /data:image\/png;base64,([\w+/=]+)/.exec(JSON.stringify(server.requests[0]?.body)) ?? []
  expect(await sharp(Buffer.from(base64, "base64")).metadata()).toMatchObject({ width: 2000, height: 500 })
})
