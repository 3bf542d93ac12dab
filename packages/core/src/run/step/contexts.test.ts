import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../../test/engine-fixture.ts"
import { called, ended, streamingModel } from "../../../test/streaming-model.ts"

describe("the tools on offer", () => {
  it("are those that the model takes and that rules allow at all; another that is called is refused by its rule", async () => {
    const tools = ["edit", "patch", "read"].map((name) => testTool(name, async () => ""))
    const model = streamingModel([called("edit"), ended("tool-calls")])
    await using test = await testEngine({
      ...{ model, tools },
      permission: [{ name: "configuration", rules: [{ permission: "edit", pattern: "*", action: "deny" }] }],
      toolSwitches: ({ modelID }) => ({ patch: modelID !== "stream" }),
    })
    await test.ask("Edit it.")

    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["read"])
    expect(await test.parts("tool")).toMatchObject([
      { state: { status: "error", error: expect.stringContaining("denies edit") } },
    ])
  })
})
