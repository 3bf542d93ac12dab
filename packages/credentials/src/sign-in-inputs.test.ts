import type { AuthPrompt } from "@pawl/core/plugin"
import { expect, it } from "vitest"
import { inputProblem, signInInputs } from "./sign-in-inputs.ts"

const PLAN: AuthPrompt = {
  ...{ type: "select", key: "plan", message: "Plan?" },
  options: ["free", "paid"].map((value) => ({ label: value, value })),
}
const SEAT: AuthPrompt = {
  ...{ type: "text", key: "seat", message: "Seat?", when: { key: "plan", op: "eq", value: "paid" } },
  validate: (seat) => (seat === "12" ? undefined : "There is seat 12."),
}

it("asks in order, and only what the answers before call for", async () => {
  const inputsWith = async (plan: string) => {
    const asked: string[] = []
    const inputs = await signInInputs([PLAN, SEAT], ({ key }) => {
      asked.push(key)
      return key === "plan" ? plan : "12"
    })
    return { asked, inputs }
  }

  expect(await inputsWith("free")).toEqual({ asked: ["plan"], inputs: { plan: "free" } })
  expect(await inputsWith("paid")).toEqual({ asked: ["plan", "seat"], inputs: { plan: "paid", seat: "12" } })
})

it("leaves out what has no answer", async () => {
  expect(await signInInputs([PLAN, SEAT], () => undefined)).toEqual({})
})

it("checks a choice by its list, and a text by the plugin", () => {
  expect(["free", "gold"].map((answer) => inputProblem(PLAN, answer))).toEqual([
    undefined,
    "expected one of free, paid.",
  ])
  expect(["12", "11"].map((answer) => inputProblem(SEAT, answer))).toEqual([undefined, "There is seat 12."])
})
