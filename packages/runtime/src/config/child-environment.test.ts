import { expect, it } from "vitest"
import { configuredEnvironment } from "./child-environment.ts"

const harmless = { PATH: "/bin", LC_ALL: "C" }
const environment = { ...harmless, ACME: "a", MY_KEY: "k", OPENAI_API_KEY: "o", PAWL_API_KEY: "p", EMPTY: "" }

it("gives programs the harmless variables, and no others", () => {
  expect(configuredEnvironment({}, environment)).toEqual({ environment: harmless, notices: [] })
})

it("gives them those that the configuration names and that are set", () => {
  const names = ["ACME", "EMPTY", "UNSET", "PATH"]
  expect(configuredEnvironment({ environment: names }, environment)).toEqual({
    environment: { ...harmless, ACME: "a", EMPTY: "" },
    notices: [],
  })
})

it("never gives them a provider's key, and says so", () => {
  const provider = { mine: { options: { apiKey: "k" } } }
  const names = ["OPENAI_API_KEY", "PAWL_API_KEY", "MY_KEY", "ACME"]

  const { environment: given, notices } = configuredEnvironment({ environment: names, provider }, environment)

  expect(given).toEqual({ ...harmless, ACME: "a" })
  expect(notices).toHaveLength(3)
  expect(notices[2]).toContain("MY_KEY")
})
