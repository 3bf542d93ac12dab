import { library } from "../../tsup.base.ts"

export default library([
  "src/index.ts",
  "src/fixtures.ts",
  "src/samples.ts",
  "src/processes/index.ts",
  "src/processes/run-script.ts",
])
