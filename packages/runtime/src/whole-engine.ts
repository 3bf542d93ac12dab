// A file of its own, so that a bundle of it holds what engines are made of and nothing else.
export { createEngine } from "@pawl/core"
export { createWorkspace } from "@pawl/workspace"
