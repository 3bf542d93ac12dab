import { reply, text } from "@pawl/model-server"
import { expect } from "vitest"
import { samplePDF, samplePNG, user } from "../samples.ts"
import { section } from "../section.ts"

const [, png = ""] = samplePNG.url.split(",")
const [, pdf = ""] = samplePDF.url.split(",")

export const images = section(
  "images",
  {
    "go along with the user's words": async ({ start }) => {
      const { ask, sent } = await start([reply(text("A dot."))])
      await ask({ messages: [user("What is this?", samplePNG)] })
      expect(sent(0).turns[0]?.parts).toEqual([
        { type: "text", text: "What is this?" },
        { type: "file", mime: "image/png", base64: png },
      ])
    },
    "of a tool's result reach the model": async ({ start }) => {
      const { ask, sent } = await start([reply(text("A dot."))])
      const call = { callID: "call_1", name: "read" }
      const result = {
        type: "tool-result",
        ...call,
        output: "1 image",
        isError: false,
        attachments: [samplePNG],
      } as const
      await ask({
        messages: [
          user("Look."),
          { role: "assistant", content: [{ type: "tool-call", ...call, input: { path: "a" } }] },
          { role: "tool", content: [result] },
        ],
      })
      const parts = sent(0).turns.at(-1)?.parts
      expect(parts).toContainEqual({ type: "result", output: "1 image" })
      expect(parts).toContainEqual({ type: "file", mime: "image/png", base64: png })
    },
  },
  { needs: "images" },
)

export const pdfs = section(
  "PDF",
  {
    "documents go along with the user's words": async ({ start }) => {
      const { ask, sent } = await start([reply(text("Empty."))])
      await ask({ messages: [user("Read this.", samplePDF)] })
      expect(sent(0).turns[0]?.parts).toContainEqual({ type: "file", mime: "application/pdf", base64: pdf })
    },
  },
  { needs: "PDF" },
)
