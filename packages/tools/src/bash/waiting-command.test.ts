import { expect, it } from "vitest"
import { isWaitingCommand } from "./waiting-command.ts"

it.each([
  "sleep 30 && gh run view 7",
  "sleep $DELAY; cat out.txt",
  "make & wait",
  "gh run view 8123 --json status",
  "gh pr checks 41",
  "gh pr checks 41 --watch",
  "kubectl get pods",
  "kubectl -n shop rollout status deploy/web",
  "docker compose ps",
  "docker logs web",
  "tail -n 20 logs/server.log",
  "ps aux | grep node",
  "systemctl status nginx",
  "curl -s localhost:3000/health",
  "pg_isready -h db",
  "cd api && watch -n 1 ls",
])("takes `%s` for waiting", (command) => {
  expect(isWaitingCommand(command)).toBe(true)
})

it.each([
  "npm test",
  "git status --short",
  "cat src/sleep.ts",
  "grep -rn wait src",
  "npx vitest run src/watch.test.ts",
  "tail -n 20 src/index.ts",
  "kubectl apply -f web.yml",
  "docker build .",
  "curl https://example.com/docs",
  "await-port --help",
  "ls steps",
])("does not take `%s` for waiting", (command) => {
  expect(isWaitingCommand(command)).toBe(false)
})
