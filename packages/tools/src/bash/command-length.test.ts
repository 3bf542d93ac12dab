import { judgeNeeds, permissionRules } from "@pawl/core/permission"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { createToolPaths } from "../tool-paths.ts"
import { commandNeeds } from "./command-needs.ts"

const many = (count: number, text: (index: number) => string, between = " ") =>
  Array.from({ length: count }, (_, index) => text(index)).join(between)

/** Commands that grow with a number, each in another part of what is judged. */
const SHAPES: Readonly<Record<string, (count: number) => string>> = {
  words: (count) => `echo ${many(count, (index) => `word${index}`)}`,
  files: (count) => `cat ${many(count, (index) => `a/${index}.txt`)}`,
  words_that_may_be_paths: (count) => `yq ${many(count, (index) => `/no${index}/such`)}`,
  places_in_a_word: (count) => `x ${"=/b:/c,".repeat(count)}`,
  patterns: (count) => `rm ${many(count, (index) => `a/${index}*.txt`)}`,
  braces: (count) => `mkdir ${"{a,b}/c ".repeat(count)}`,
  redirections: (count) => `a ${many(count, (index) => `>x/${index}/out`)}`,
  commands: (count) => many(count, (index) => `npm run x${index}`, "\n"),
  directories: (count) => many(count, (index) => `cd d${index}`, " && "),
  pipes: (count) => many(count, () => "grep x", " | "),
  variables: (count) => many(count, (index) => `v${index}=a${index}; cat $v${index}`, "\n"),
  one_variable: (count) => many(count, (index) => `v=a${index}; cat $v`, "\n"),
  functions: (count) => many(count, (index) => `f${index}() { cat $1; }; f${index} a`, "\n"),
  loop: (count) => `for i in 1 2 3; do\n${"grep x $i\n".repeat(count)}done`,
  substitutions: (count) => `echo ${"$(git rev-parse HEAD) ".repeat(count)}`,
  input: (count) => `cat > f <<'EOF'\n${"some line of text\n".repeat(count)}EOF`,
  input_that_is_expanded: (count) => `cat > f <<EOF\n${"some $x line of text\n".repeat(count)}EOF`,
  sed: (count) => `sed -i '${"s/a/b/;".repeat(count)}' f`,
  awk: (count) => `awk '${"{ print $1 / 2 } ".repeat(count)}' f`,
  find: (count) => `find . ${"-exec rm {} + ".repeat(count)}`,
  split_words: (count) => "env -S ".repeat(count),
  listings: (count) => "cat $(ls) ".repeat(count),
  here_documents: (count) => "<<E ".repeat(count),
  xargs: (count) => `echo ${"a ".repeat(count)} | xargs cat`,
}

const LENGTH = 7000

it.each(Object.entries(SHAPES))(
  "judges eight times the length in not much more than eight times the time: %s",
  async (_, shape) => {
    const directory = await testDirectory({ "a/b.txt": "" })
    const rules = permissionRules({ permission: [], agents: new Map() }, { name: "build" }, {}, [])
    const judge = async (command: string) => {
      const place = { directory, worktree: directory, cwd: directory, paths: createToolPaths() }
      return judgeNeeds({ rules, agent: "build", approvals: [] }, await commandNeeds(command, place))
    }
    const count = Math.ceil((100 * LENGTH) / shape(100).length)
    const times = new Map([count, 8 * count].map((each) => [shape(each), Infinity]))
    // In turns, so that both meet the same machine; growth with the square would make it sixty-four.
    for (let round = 0; round < 4; round++) {
      for (const [command, best] of times) {
        const start = process.cpuUsage()
        await judge(command)
        const { user, system } = process.cpuUsage(start)
        times.set(command, Math.min(best, user + system))
      }
    }
    const [short = 0, long = 0] = times.values()
    expect(long / short).toBeLessThan(24)
  },
)
