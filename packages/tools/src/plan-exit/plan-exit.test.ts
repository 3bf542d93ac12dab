import { describe, expect, it } from "vitest"
import { testContext } from "../../test/context.ts"
import { planExitTool } from "./plan-exit.ts"

const answered = (chosen: readonly string[]) => {
  const tool = planExitTool()
  return tool.execute(tool.parse({}), testContext("/srv", { ask: async () => [chosen] }))
}

describe("plan_exit", () => {
  it("hands over to the build agent once the user agrees", async () => {
    expect(await answered(["Yes"])).toMatchObject({ metadata: { switchAgent: "build" } })
  })

  it.each([[["No"]], [[]], [["Yes", "No"]]])("stays where the user does not: %j", async (chosen) => {
    const { output, metadata } = await answered(chosen)
    expect(output).toContain("does not want the plan carried out yet")
    expect(metadata).toBeUndefined()
  })

  it("tells what the user said instead", async () => {
    expect((await answered(["Use SQLite"])).output).toContain('They say: "Use SQLite".')
  })
})
