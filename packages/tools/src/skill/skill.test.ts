import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { testContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { type Skill, skillTool } from "./skill.ts"

const skillIn = (directory: string, name: string, description = "Makes a release."): Skill => {
  return { name, description, file: join(directory, name, "SKILL.md"), content: "\n# Release\nTag, then push.\n" }
}
const skill = (name: string, description?: string) => skillIn("/srv/skills", name, description)

describe("skill", () => {
  it("gives its instructions, where its files are, and the first ten of them", async () => {
    const directory = await testDirectory()
    await mkdir(join(directory, "release", "scripts"), { recursive: true })
    const names = Array.from({ length: 12 }, (_, n) => `scripts/step-${String(n).padStart(2, "0")}.sh`)
    for (const name of [...names, "SKILL.md", "a\nb"]) await writeFile(join(directory, "release", name), "")
    const tool = skillTool([skillIn(directory, "release")])

    const { output, title } = await tool.execute(tool.parse({ name: "release" }), testContext(directory))

    const shown = ["a\\nb", ...names.slice(0, 9)].join("\n")
    expect(output).toBe(
      `<skill_content name="release">\n# Release\nTag, then push.\n\nFiles of this skill are in ${join(directory, "release")}.\n` +
        `<skill_files>\n${shown}\n</skill_files>\n</skill_content>`,
    )
    expect(title).toBe("release")
  })

  it("names the skills there are when asked for another, also where the directory is gone", async () => {
    const tool = skillTool([skill("release"), skill("audit")])
    await expect(tool.execute({ name: "x" }, testContext("/srv"))).rejects.toThrow(
      'There is no skill "x". Available: audit, release.',
    )
    expect((await tool.execute({ name: "audit" }, testContext("/srv"))).output).not.toContain("<skill_files>")
  })

  it("lists them in a stable order, on a line each, and bounded", () => {
    expect(skillTool([skill("release"), skill("audit", "Two\nlines.")]).description).toMatch(
      /Skills:\n- audit: Two\\nlines\.\n- release: Makes a release\.$/,
    )
    const many = Array.from({ length: 300 }, (_, n) => skill(`skill-${n}`, "x".repeat(600)))
    expect(skillTool(many).description).toMatch(/- and \d+ more, by their names: skill-/)
    expect(skillTool(many).description.length).toBeLessThan(20_000)
  })
})
