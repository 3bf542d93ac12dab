import { expect, it } from "vitest"
import { mapNamedStrings } from "./named-strings.ts"

it.each([
  [{ apiKey: "x" }, ["apiKey=x"]],
  [{ passwords: ["x", "y"] }, ["passwords=x", "passwords=y"]],
  [{ name: "password", value: "x" }, ["name=password", "password=x"]],
  [{ name: "colour", value: "x" }, ["name=colour", "value=x"]],
  [{ list: [["cookie", "x"]] }, ["list=cookie", "cookie=x"]],
  [{ argv: ["tool", "--password", "x", "y"] }, ["argv=tool", "argv=--password", "password=x", "argv=y"]],
  [{ list: ["token", "x", "y"] }, ["list=token", "list=x", "list=y"]],
])("tells the name beside each string of %j", (value, names) => {
  const seen: string[] = []
  const same = mapNamedStrings(value, (text, name) => {
    seen.push(`${name}=${text}`)
    return text
  })
  expect(seen).toEqual(names)
  expect(same).toEqual(value)
})

it("changes the names of fields that are more than a name", () => {
  const value = { read: { "/home/ada/a.ts": 1, timeoutMilliseconds: 2, "0": 3, ["ab".repeat(32)]: 4 } }

  const changed = mapNamedStrings(value, (text, name) => (name === "" ? text.toUpperCase() : text))

  expect(Object.keys((changed as typeof value).read)).toEqual([
    "0",
    "/HOME/ADA/A.TS",
    "TIMEOUTMILLISECONDS",
    "AB".repeat(32),
  ])
})

it("tells the fields that a string stands below", () => {
  const seen: string[] = []
  mapNamedStrings({ a: [{ b: { name: "token", value: "x" } }] }, (text, name, fields) => {
    seen.push(`${fields.join(".")} ${name}=${text}`)
    return text
  })

  expect(seen).toEqual(["a.b.name name=token", "a.b.value token=x"])
})
