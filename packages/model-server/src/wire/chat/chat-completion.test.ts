import { describe, expect, it } from "vitest"
import { chatBody, post, readAnswer } from "../../../test/chat-client.ts"
import { call, deltas, empty, modelServer, reasoning, reply, text, usage } from "../../index.ts"

const whole = chatBody({ stream: false })

describe("a chat completion that is not streamed", () => {
  it("holds text, reasoning and tool calls in one message", async () => {
    const said = reply(reasoning("Hm"), text(["Loo", "king"]), call("read", { filePath: "a.ts" }), call("ls", "{oops"))
    await using server = await modelServer({ replies: [said] })

    const response = await post(server, whole)

    expect(response.headers.get("content-type")).toContain("application/json")
    expect(await response.json()).toMatchObject({
      object: "chat.completion",
      model: "scripted",
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: "Looking",
            reasoning_content: "Hm",
            tool_calls: [
              { id: "call_1", type: "function", function: { name: "read", arguments: '{"filePath":"a.ts"}' } },
              { id: "call_2", type: "function", function: { name: "ls", arguments: "{oops" } },
            ],
          },
        },
      ],
    })
  })

  it("has null content when there are only tool calls, and no tool calls or reasoning when there are none", async () => {
    await using server = await modelServer({ replies: [reply(call("ls")), empty()] })

    const onlyCall = await readAnswer(await post(server, whole))
    const nothing = await readAnswer(await post(server, whole))

    expect(onlyCall.choices[0]?.message.content).toBeNull()
    expect(nothing.choices[0]).toEqual({
      index: 0,
      message: { role: "assistant", content: "" },
      finish_reason: "stop",
    })
  })

  it("estimates usage from the characters of request and reply", async () => {
    await using server = await modelServer({ replies: [reply(text("12345"), deltas({ text: "ab", count: 4 }))] })
    const body = JSON.stringify(whole)

    const { usage: counts } = await readAnswer(await post(server, body))

    expect(counts).toMatchObject({ prompt_tokens: Math.ceil(body.length / 4), completion_tokens: 4 })
  })

  it("keeps the estimate for counts that the script leaves out", async () => {
    await using server = await modelServer({ replies: [reply(text("12345678"), usage({ inputTokens: 7 }))] })

    const { usage: counts } = await readAnswer(await post(server, whole))

    expect(counts).toMatchObject({ prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 })
  })
})
