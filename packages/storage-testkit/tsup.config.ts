import { library } from "../../tsup.base.ts"

export default library(["src/index.ts", "src/fixtures.ts", "src/samples.ts"])
