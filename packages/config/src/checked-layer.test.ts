import { expect, it } from "vitest"
import { checkedLayer } from "./checked-layer.ts"

it("makes a layer of what a program gives, in the keys of today", async () => {
  const { source, config } = await checkedLayer("plugins", { agent: { a: { tools: { bash: false }, maxSteps: 3 } } })
  expect({ source, config }).toEqual({
    source: "plugins",
    config: { agent: { a: { permission: { bash: "deny" }, steps: 3 } } },
  })
})

it("names the keys that are wrong", async () => {
  await expect(checkedLayer("plugins", { agent: { a: { steps: "many" } } })).rejects.toMatchObject({
    name: "ConfigError",
    problems: [
      { path: "agent.a.steps", message: "plugins: agent.a.steps must be a whole number above 0, got a string." },
    ],
  })
})
