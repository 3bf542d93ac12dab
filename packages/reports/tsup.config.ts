import { library } from "../../tsup.base.ts"

export default library([
  "src/index.ts",
  "src/permissions/call-needs.ts",
  "src/permissions/explain-call.ts",
  "src/permissions/recorded-action.ts",
  "src/permissions/replay-calls.ts",
  "src/permissions/tally.ts",
  "src/usage/aspects.ts",
  "src/usage/days.ts",
  "src/usage/read-usage.ts",
  "src/usage/run-totals.ts",
  "src/usage/usage.ts",
])
