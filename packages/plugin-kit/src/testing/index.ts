export { call, fail, finish, reasoning, type Reply, stall, text, wait } from "@pawl/provider-replay"
export { testPlugin, type PluginTest, type PluginTestOptions, type PluginProblem } from "./test-plugin.ts"
