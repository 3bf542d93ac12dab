import { describe, expect, it } from "vitest"
import { Headers as LightHeaders } from "./headers.ts"

describe("the bundle's Headers", () => {
  const inits = [
    undefined,
    {},
    { "X-B": "1", accept: " a ", gone: undefined },
    [
      ["a", "1"],
      ["A", "2"],
    ] as const,
  ]

  it.each(inits)("hold what the global ones hold, from %j", (init) => {
    const defined =
      init && !Array.isArray(init)
        ? Object.fromEntries(Object.entries(init).filter(([, value]) => value !== undefined))
        : init
    const standard = new Headers(defined as never)
    const light = new LightHeaders(init as never)

    expect([...light]).toEqual([...standard])
    expect([...light.keys()]).toEqual([...standard.keys()])
    expect([...light.values()]).toEqual([...standard.values()])
    expect(light.get("X-b")).toBe(standard.get("X-b"))
    expect(light.has("accept")).toBe(standard.has("accept"))
  })

  it("change as the global ones do", () => {
    const [standard, light] = [new Headers({ a: "1", b: "2" }), new LightHeaders({ a: "1", b: "2" })]
    for (const headers of [standard, light]) {
      headers.append("A", "3")
      headers.set("C", "4")
      headers.delete("B")
    }
    const seen: string[] = []
    light.forEach((value, name) => seen.push(`${name}: ${value}`))

    expect(Object.fromEntries(light.entries())).toEqual(Object.fromEntries(standard.entries()))
    expect(seen).toEqual(["a: 1, 3", "c: 4"])
    expect(new LightHeaders(light).get("a")).toBe("1, 3")
  })
})
