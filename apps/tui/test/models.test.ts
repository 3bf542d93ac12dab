import { describe, expect, it } from "vitest"
import type { ModelChoice } from "../src/source/source.ts"
import { ENTER, ESCAPE, type PlayingApp, playingApp } from "./playing-app.ts"

const CTRL_F = "\u0006"
const ALT_M = `${ESCAPE}m`
const ALT_V = `${ESCAPE}v`

const choice = (modelID: string, ...variants: string[]): ModelChoice => ({
  ...{ ref: { providerID: "acme", modelID }, name: modelID, context: 1000, variants },
})

/** The UI over a provider with three models. No prompt is sent. */
async function withModels(): Promise<PlayingApp> {
  const played = await playingApp([{ reply: [{ text: "Hi." }] }], 100)
  Object.assign(played.app.ui.source, {
    models: async () => [choice("large", "low", "high"), choice("medium"), choice("small")],
  })
  return played
}

function rows({ terminal }: PlayingApp): string[] {
  return terminal.screen().flatMap((line) => /^(?:▸|\s) (acme\/\S+(?: · \S+)?)/.exec(line)?.[1] ?? [])
}

describe("the models", () => {
  it("are listed with favourites first, then those that were chosen last", async () => {
    const played = await withModels()
    const list = async () => {
      played.type("/model")
      played.press(ENTER)
      await expect.poll(() => played.terminal.screen().join("\n")).toContain("ctrl+f marks a favourite")
    }
    await list()
    played.type("medium")
    played.press(ENTER)
    await played.shows("The next prompts go to acme/medium.")
    await expect.poll(() => played.terminal.screen().at(-1)).toContain("acme/medium")
    await expect.poll(async () => (await played.app.ui.models.read()).recent).toEqual(["acme/medium"])

    await list()
    expect(rows(played)[0]).toBe("acme/medium")
    played.type("small")
    played.press(CTRL_F)
    await played.shows("▸ acme/small  favourite · small")

    expect(rows(played)).toEqual(["acme/small", "acme/medium", "acme/large", "acme/large · low", "acme/large · high"])
    played.press(CTRL_F)
    await expect.poll(() => rows(played)[0]).toBe("acme/medium")
  })

  it("are switched by keys, which the status shows at once", async () => {
    const played = await withModels()
    const status = () => played.terminal.screen().at(-1)
    played.press(ALT_M)
    await played.shows("No model is a favourite.")
    await played.app.ui.models.toggle("acme/small")
    played.press(ALT_M)
    await expect.poll(status).toContain("acme/small")
    played.press(ALT_V)
    await played.shows("acme/small has no variants.")
    played.press(ALT_M)
    await played.shows("There is no other favourite.")
    await played.app.ui.models.toggle("acme/large")

    played.press(ALT_M)
    await expect.poll(status).toContain("acme/large")
    played.press(ALT_V)
    await expect.poll(status).toContain("acme/large low")
    played.press(ALT_V)
    await expect.poll(status).toContain("acme/large high")
    played.press(ALT_V)
    await expect.poll(status).not.toContain("high")
    played.press(ALT_M)

    await expect.poll(status).toContain("acme/small")
  })
})
