import { library } from "../../tsup.base.ts"

export default library(["src/index.ts", "src/durable-file.ts", "src/held-file.ts", "src/status-of.ts"])
