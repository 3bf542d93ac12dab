import { library } from "../../tsup.base.ts"

export default library(["src/index.ts", "src/source/runtime-source.ts", "src/source/server-source.ts"])
