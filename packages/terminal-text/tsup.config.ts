import { library } from "../../tsup.base.ts"

export default library(["src/**/*.ts", "!src/**/*.test.ts"])
