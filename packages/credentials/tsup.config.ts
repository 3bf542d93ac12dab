import { library } from "../../tsup.base.ts"

export default library([
  "src/index.ts",
  "src/auth-file.ts",
  "src/begin-sign-in.ts",
  "src/contributed.ts",
  "src/credential-of.ts",
  "src/plugin-call.ts",
  "src/provider-auth.ts",
  "src/sign-in-inputs.ts",
  "src/sign-in-methods.ts",
])
