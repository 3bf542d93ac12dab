import type { Config } from "@pawl/config"
import { defaultDeadlines } from "@pawl/core/provider"
import { expect, it } from "vitest"
import { engineTimeouts, providerTimeouts, DEFAULT_TIMEOUTS } from "./timeouts.ts"

const usual = { firstEvent: 100, idle: 50 }
const of = (options: object, deadlines?: object): Pick<Config, "provider" | "deadlines"> => ({
  provider: { slow: { options }, other: {} },
  ...(deadlines ? { deadlines } : {}),
})

it("knows what the engine waits by itself", () => {
  expect(defaultDeadlines).toMatchObject(DEFAULT_TIMEOUTS)
})

it("leaves the engine its own limits where no provider wants to be waited for longer", () => {
  const config = of({ headerTimeout: 10, chunkTimeout: 20 })

  expect(engineTimeouts(config, usual)).toEqual({})
  expect(providerTimeouts("slow", config, usual)).toEqual({ headerTimeout: 10, chunkTimeout: 20 })
  expect(providerTimeouts("other", config, usual)).toEqual({})
})

it("waits longer for one provider, and as long as before for the others", () => {
  const config = of({ headerTimeout: 900, chunkTimeout: 800 }, { idle_ms: 70 })

  expect(engineTimeouts(config, usual)).toEqual({ firstEvent: 900, idle: 800 })
  expect(providerTimeouts("slow", config, usual)).toEqual({ headerTimeout: 900, chunkTimeout: 800 })
  expect(providerTimeouts("other", config, usual)).toEqual({ headerTimeout: 100, chunkTimeout: 70 })
})

it.each([0, false])("waits for ever by %j", (headerTimeout) => {
  const config = of({ headerTimeout })

  expect(engineTimeouts(config, usual)).toEqual({ firstEvent: 0 })
  expect(providerTimeouts("slow", config, usual)).toEqual({ headerTimeout: 0 })
})

it("waits for a connection as the provider says, else as `deadlines`", () => {
  const config = of({ connectTimeout: 5, timeout: false }, { connect_ms: 9 })

  expect(providerTimeouts("slow", config, usual)).toEqual({ connectTimeout: 5, timeout: 0 })
  expect(providerTimeouts("other", config, usual)).toEqual({ connectTimeout: 9 })
})
