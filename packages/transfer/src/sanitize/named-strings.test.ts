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
