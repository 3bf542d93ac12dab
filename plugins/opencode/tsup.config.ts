import { library } from "../../tsup.base.ts"

export default library([
  "src/index.ts",
  "src/module-aliases.ts",
  "src/modules/plugin.ts",
  "src/modules/bun.ts",
  "src/modules/bun-sqlite.ts",
  "src/modules/bun-ffi.ts",
  "src/modules/bun-pty.ts",
  "src/modules/sdk.ts",
  "src/modules/zod.ts",
])
