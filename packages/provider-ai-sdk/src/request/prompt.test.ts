import type { ModelMessage, ToolResultContent } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { toPrompt } from "./prompt.ts"

function toolMessage(result: Partial<ToolResultContent>): ModelMessage {
  const defaults = { type: "tool-result", callID: "c1", name: "read", output: "text", isError: false } as const
  return { role: "tool", content: [{ ...defaults, ...result }] }
}

describe("toPrompt", () => {
  it("converts what the user says and attaches", () => {
    const message: ModelMessage = {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "file", mime: "image/png", filename: "a.png", url: "data:image/png;base64,AAAA" },
        { type: "file", mime: "text/plain", url: "data:text/plain,gr%C3%BCn" },
        { type: "file", mime: "image/jpeg", url: "https://example.test/b.jpg" },
      ],
    }

    expect(toPrompt(message)).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "file", mediaType: "image/png", filename: "a.png", data: { type: "data", data: "AAAA" } },
          {
            type: "file",
            mediaType: "text/plain",
            data: { type: "data", data: Buffer.from("grün").toString("base64") },
          },
          {
            type: "file",
            mediaType: "image/jpeg",
            data: { type: "url", url: new URL("https://example.test/b.jpg") },
          },
        ],
      },
    ])
  })

  it("converts what the model said, and gives it back its signatures", () => {
    const metadata = { anthropic: { signature: "s" } }
    const message: ModelMessage = {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm.", metadata },
        { type: "reasoning", text: "Unsigned." },
        { type: "text", text: "I look." },
        { type: "tool-call", callID: "c1", name: "read", input: { path: "a" } },
      ],
    }

    expect(toPrompt(message)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm.", providerOptions: metadata },
          { type: "reasoning", text: "Unsigned." },
          { type: "text", text: "I look." },
          { type: "tool-call", toolCallId: "c1", toolName: "read", input: { path: "a" } },
        ],
      },
    ])
  })

  it("converts results and errors of tools", () => {
    const output = (message: ModelMessage) => toPrompt(message)[0]?.content[0]

    expect(output(toolMessage({}))).toEqual({
      type: "tool-result",
      toolCallId: "c1",
      toolName: "read",
      output: { type: "text", value: "text" },
    })
    expect(output(toolMessage({ output: "ENOENT", isError: true }))).toMatchObject({
      output: { type: "error-text", value: "ENOENT" },
    })
  })

  it("sends files of a tool result as a message of the user behind it", () => {
    const attachments = [{ type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" }] as const

    expect(toPrompt(toolMessage({ attachments })).slice(1)).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Attached media from tool result:" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
        ],
      },
    ])
  })

  it.each(["user", "assistant", "tool"] as const)("leaves out a %s message without content", (role) => {
    expect(toPrompt({ role, content: [] })).toEqual([])
  })

  it.each([
    ["file:///etc/passwd", "its URL is neither a data: nor a https: URL"],
    ["notes.txt", "its URL is neither a data: nor a https: URL"],
    ["data:text/plain", 'its data: URL has no ","'],
    ["data:text/plain,%ZZ", "its data: URL is not percent-encoded as it should be"],
  ])("refuses to attach %s", (url, reason) => {
    const message: ModelMessage = {
      role: "user",
      content: [{ type: "file", mime: "text/plain", filename: "notes", url }],
    }

    expect(() => toPrompt(message)).toThrow(
      expect.objectContaining({
        kind: "invalid-request",
        message: `The file "notes" cannot be sent to the model: ${reason}.`,
      }),
    )
  })
})
