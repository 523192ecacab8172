// Lists the tools that the page offers: those registered with the browser, and forms. Read before every step and again
// when a call starts. The first owner of a name keeps it; the page comes before its frames.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isObject, type JsonValue } from '../../core/data/json.js'
import { canonicalJson } from '../../core/data/plain-json.js'
import { ToolAgentError } from '../../core/data/errors.js'
import { internals, type ToolAnnotations } from '../../core/data/tool.js'
import type { Tool, ToolRun } from '../../page/tools/tool.js'
import { isOffLimits } from '../dom/dom.js'
import { isExposed } from './register-with-browser.js'
import { readForms, discoverToolForms } from './forms.js'
import { budgets, schemaFrom, toToolName, type DiscoveredTool } from './discovered-tool.js'
import { callListed, listTools, ownerOf, type ModelContextTool } from './model-context.js'

/** The tools of the page as tools of the agent. */
export async function discover(): Promise<Tool[]> {
  return [...(await find()).values()].map(toolOf)
}

function toolOf({ definition, exclusive, timeout, forecast }: DiscoveredTool): Tool {
  return {
    ...definition,
    exclusive,
    ...(timeout === undefined ? {} : { timeout }),
    [internals]: {
      isDiscovered: true,
      ...(forecast ? { preview: () => forecast(definition.description) } : {}),
    },
    async execute(input, run: ToolRun) {
      // The page may have changed since. Only run exactly what was offered.
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

/** Whether the tool's frame has the same origin and is not excluded from tools. */
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
    // The hint is only a claim of the page, but enough to run beside other tools.
    exclusive: hints.readOnlyHint !== true,
    run: (input, { signal }) => callListed(tool, input, signal),
  }
}
