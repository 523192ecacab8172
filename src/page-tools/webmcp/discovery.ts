// What the page offers to agents, read anew before every step and once more when a call starts: the browser's list and
// the forms that say they are tools. The first owner of a name keeps it, the page itself before its frames.
import { unclobbered } from '../../core/data/unclobbered.js'
import { canonicalJson, isObject, type JsonValue } from '../../core/data/json.js'
import { ToolAgentError } from '../../core/data/errors.js'
import { isDiscoveredTool, type ToolAnnotations } from '../../core/data/tool.js'
import type { Tool, ToolRun } from '../../page/tools/tool.js'
import { isOffLimits } from '../dom/dom.js'
import { isExposed } from './register-with-browser.js'
import { readForms, discoverToolForms } from './forms.js'
import { budgets, schemaFrom, toToolName, type DiscoveredTool } from './discovered-tool.js'
import { callListed, listTools, ownerOf, type ModelContextTool } from './model-context.js'

export async function discover(): Promise<Tool[]> {
  return [...(await find()).values()].map(toolOf)
}

function toolOf({ definition, exclusive, timeout }: DiscoveredTool): Tool {
  return {
    ...definition,
    exclusive,
    ...(timeout === undefined ? {} : { timeout }),
    [isDiscoveredTool]: true,
    async execute(input, run: ToolRun) {
      // Time has passed: what runs is what was offered, or nothing.
      const now = (await find()).get(definition.name)
      if (!now || canonicalJson(now.definition) !== canonicalJson(definition)) {
        throw new ToolAgentError(
          'unavailable',
          now ? 'The page changed this tool. It did not run.' : 'The page removed this tool. It did not run.',
        )
      }
      return now.run(input as Record<string, JsonValue>, run)
    },
  }
}

async function find(): Promise<ReadonlyMap<string, DiscoveredTool>> {
  const listed = await listTools()
  const forms = [...discoverToolForms()]
  const isForm = (tool: ModelContextTool): boolean =>
    forms.some(({ form, name }) => name === tool.name && unclobbered(form.ownerDocument).defaultView === ownerOf(tool))
  const others = listed.filter((tool) => !isForm(tool) && !isExposed(tool))
  const own = others.filter((tool) => ownerOf(tool) === window)
  const framed = others.filter((tool) => !own.includes(tool) && isOpen(tool))
  const found = new Map<string, DiscoveredTool>()
  for (const one of [...own.map(fromList), ...readForms(forms), ...framed.map(fromList)]) {
    const { name } = one.definition
    if (!found.has(name)) found.set(name, one)
  }
  return found
}

/** A frame of another origin, or one that the author wants left alone, has no tools for us. */
function isOpen(tool: ModelContextTool): boolean {
  try {
    const frame = ownerOf(tool).frameElement
    return frame ? !isOffLimits(frame) : false
  } catch {
    return false
  }
}

function fromList(tool: ModelContextTool): DiscoveredTool {
  const { name, annotations } = tool
  const inputSchema = schemaFrom(tool.inputSchema)
  const title = toToolName(tool.title, budgets.title)
  const hints: ToolAnnotations = isObject(annotations)
    ? (Object.fromEntries(
        Object.entries(annotations).filter(([, value]) => typeof value === 'boolean'),
      ) as ToolAnnotations)
    : {}
  return {
    definition: {
      name,
      ...(title ? { title } : {}),
      description: toToolName(tool.description, budgets.tool),
      ...(inputSchema ? { inputSchema } : {}),
      annotations: hints,
    },
    // That it only reads is a claim, and enough to let others run beside it.
    exclusive: hints.readOnlyHint !== true,
    run: (input, { signal }) => callListed(tool, input, signal),
  }
}
