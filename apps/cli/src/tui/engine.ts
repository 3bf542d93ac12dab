// Loaded after the editor is drawn.
export { openRuntime } from "@pawl/runtime/open-runtime"
export { createRuntimeSource } from "@pawl/tui/runtime-source"
