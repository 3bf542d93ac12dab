import { testEverything } from "./test-everything.ts"

testEverything("streamableHttp")
