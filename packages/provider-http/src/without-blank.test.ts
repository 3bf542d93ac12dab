import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { withoutBlank } from "./without-blank.ts"

const NAME = "PAWL_TEST_ADDRESS"
const load = () => withoutBlank(NAME, async () => process.env[NAME] ?? "absent")

beforeEach(() => onTestFinished(() => void delete process.env[NAME]))

describe("while something is loaded", () => {
  it.each(["", " ", "\t\n"])("a variable that holds %j is absent, and is back behind it", async (blank) => {
    process.env[NAME] = blank
    expect(await load()).toBe("absent")
    expect(process.env[NAME]).toBe(blank)
  })

  it("one that says something stays, and one that is absent does", async () => {
    expect(await load()).toBe("absent")
    expect(process.env[NAME]).toBeUndefined()
    process.env[NAME] = "http://models.test"
    expect(await load()).toBe("http://models.test")
  })

  it("what cannot be loaded leaves the variable as it was", async () => {
    process.env[NAME] = ""
    await expect(withoutBlank(NAME, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken")
    expect(process.env[NAME]).toBe("")
  })

  it("a value that somebody sets meanwhile stays", async () => {
    process.env[NAME] = ""
    await withoutBlank(NAME, async () => (process.env[NAME] = "http://models.test"))
    expect(process.env[NAME]).toBe("http://models.test")
  })
})
