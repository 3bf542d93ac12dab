/** Names of pawl's own tools, which no server may take. */
export const builtinNames: readonly string[] = [
  ...["apply_patch", "bash", "bash_kill", "bash_output", "edit", "glob", "grep", "list", "multiedit", "plan_exit"],
  ...[
    "question",
    "read",
    "recall",
    "skill",
    "task",
    "todoread",
    "todowrite",
    "tool_search",
    "webfetch",
    "websearch",
    "write",
  ],
  ...["invalid", "lsp", "plan_enter", "session_search"],
]
