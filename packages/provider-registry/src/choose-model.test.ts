import { expect, it } from "vitest"
import { chooseModel, type ModelSources } from "./choose-model.ts"

const nothing: ModelSources = { environment: {}, config: {}, hasAddress: false }
const session = { providerID: "of", modelID: "session" }

it.each<[name: string, sources: Partial<ModelSources>, chosen: string | undefined]>([
  ["nothing", {}, undefined],
  ["a key", { environment: { MISTRAL_API_KEY: "k", DEEPSEEK_API_KEY: "k" } }, "mistral/devstral-medium-latest"],
  ["a key that is kept", { kept: new Set(["groq"]) }, "groq/openai/gpt-oss-120b"],
  ["an empty key", { environment: { MISTRAL_API_KEY: "" } }, undefined],
  ["the configuration before a key", { config: { model: "a/b" }, environment: { GROQ_API_KEY: "k" } }, "a/b"],
  ["the agent's before the configuration's", { config: { model: "a/b", agent: { build: { model: "c/d" } } } }, "c/d"],
  [
    "that of the chosen agent",
    { agent: "plan", config: { agent: { build: { model: "c/d" }, plan: { model: "e/f" } } } },
    "e/f",
  ],
  ["the session before the configuration", { session, config: { model: "a/b" } }, "of/session"],
  ["the environment before the session", { session, environment: { PAWL_MODEL: "c/d" } }, "c/d"],
  ["the flag before all", { session, environment: { PAWL_MODEL: "c/d" }, flag: "e/f/g" }, "e/f/g"],
  ["an address, and a model without a provider", { flag: "llama", hasAddress: true }, "custom/llama"],
])("takes %s", (_name, sources, chosen) => {
  const model = chooseModel({ ...nothing, ...sources })

  expect(model && `${model.providerID}/${model.modelID}`).toBe(chosen)
})

it.each(["gpt-5", "/x", "openai/"])("refuses %j without an address, and names providers", (flag) => {
  expect(() => chooseModel({ ...nothing, flag })).toThrow(
    `invalid value "${flag}" for --model: expected provider/model. Known providers: openai,`,
  )
})
