import { library } from "../../tsup.base.ts"

export default library(["src/index.ts", "src/shim/zod.ts", "src/shim/plugin.ts"])
