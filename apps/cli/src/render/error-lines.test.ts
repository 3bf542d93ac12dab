import { createSecrets } from "@pawl/secrets"
import { expect, it } from "vitest"
import { errorLines } from "./error-lines.ts"
import { createTheme } from "@pawl/terminal-text/theme"

const layout = { output: { isTerminal: false, columns: 80 }, theme: createTheme(false) }

it("shows no secret, in the message and in the hint", () => {
  const secrets = createSecrets()
  secrets.add("s3cret-value", "ACME_KEY")

  expect(errorLines("No: s3cret-value", { ...layout, secrets }, "Not ACME_API_KEY=abcdef123 either")).toEqual([
    "pawl: No: [removed:ACME_KEY]",
    "Not ACME_API_KEY=[removed:secret.assignment] either",
  ])
})

it("hides passwords of URLs the same with a registry and without one", () => {
  const message = "postgres://ada:hunter2@db/x?password=abcdef"
  const hidden = ["pawl: postgres://ada:…@db/x?password=…"]

  expect(errorLines(message, layout)).toEqual(hidden)
  expect(errorLines(message, { ...layout, secrets: createSecrets() })).toEqual(hidden)
})
