import { library } from "../../tsup.base.ts"

export default library(["src/index.ts", "src/serve/index.ts"])
