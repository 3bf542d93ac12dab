const WAITING = [
  // Commands that wait.
  /\bsleep\s+[\d.$]/,
  /(^|[;&|]\s*)wait\b/,
  /\s--(watch|wait)\b/,
  /(^|[;&|]\s*)watch\s/,
  // Commands that check the state of remote work.
  /\bgh\s+(run\s+(list|view|watch)|pr\s+(checks|status))\b/,
  /\bkubectl\s+(\S+\s+){0,4}?(get|logs|wait|describe|top|rollout\s+status)\b/,
  /\b(docker|podman)(\s+compose|-compose)?\s+(\S+\s+){0,2}?(ps|logs|stats|inspect)\b/,
  /\btail\b.*\.(log|out|err)\b/,
  /(^|[;&|]\s*)(jobs|ps|pgrep|squeue|nvidia-smi|journalctl)\b/,
  /\bsystemctl\s+(status|is-active)\b/,
  /\bcurl\b.*(localhost|127\.0\.0\.1|health|status|ready)/,
  /\b(nc\s+-z|pg_isready|redis-cli\s+ping)\b/,
]

/** Returns true if repeating the command is a way to wait, such as `sleep 30 && gh run view 7`. */
export function isWaitingCommand(command: string): boolean {
  return WAITING.some((pattern) => pattern.test(command))
}
