import { modelServer, reply, text } from "@pawl/model-server"
import { sampleRequest } from "@pawl/provider-testkit"
import { expect, it, onTestFinished } from "vitest"
import { openai } from "./openai.ts"

// In a file of its own: an SDK that was imported before would not be imported again.
it("is asked all the same where the variable for its address is blank", async () => {
  const before = process.env["OPENAI_BASE_URL"]
  onTestFinished(() => {
    if (before === undefined) delete process.env["OPENAI_BASE_URL"]
    else process.env["OPENAI_BASE_URL"] = before
  })
  process.env["OPENAI_BASE_URL"] = " "
  await using server = await modelServer({ replies: [reply(text("Hi"))] })
  const model = await openai({ baseURL: server.url, apiKey: "k" }).model("any")
  const events: string[] = []

  for await (const { type } of model.stream(sampleRequest(), new AbortController().signal)) events.push(type)

  expect(events.at(-1)).toBe("finish")
  expect(process.env["OPENAI_BASE_URL"]).toBe(" ")
})
