import { defineTool, type Tool } from "@pawl/core/tool"
import { toolInput } from "../tool-input.ts"

const input = toolInput("plan_exit", {})
type Input = ReturnType<typeof input.parse>

const [YES, NO] = ["Yes", "No"]

/** Asks the user to approve a plan. */
export function planExitTool(): Tool<Input> {
  return defineTool<Input>({
    name: "plan_exit",
    description:
      "Asks the user whether your plan is good and is to be carried out. Call it once the plan is complete and you have told it; not for a question of its own.",
    ...input,
    effect: "pure",
    deadline: 0,
    permissions: () => [{ permission: "plan_exit", patterns: ["*"] }],
    async execute(_call, context) {
      const [chosen = []] = await context.ask([
        {
          question: "The plan is complete. Carry it out?",
          header: "Carry out the plan",
          options: [
            { label: YES, description: "The build agent takes over and changes files" },
            { label: NO, description: "Go on planning" },
          ],
        },
      ])
      if (chosen.length === 1 && chosen[0] === YES) {
        return {
          title: "plan approved",
          output: "The user approved the plan. End your turn in a sentence: the build agent carries it out.",
          metadata: { switchAgent: "build" },
        }
      }
      const words = chosen.filter((each) => each !== NO)
      const wish = words.length > 0 ? ` They say: "${words.join(", ")}".` : ""
      return {
        title: "plan not approved",
        output: `The user does not want the plan carried out yet.${wish} Go on planning.`,
      }
    },
  })
}
