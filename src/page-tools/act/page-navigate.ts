// page_navigate: opens another URL in this tab. This origin needs approval once per session, another site each time.
import { ToolAgentError } from '../../core/data/errors.js'
import { previewAction } from '../../core/loop/action-preview.js'
import type { Tool } from '../../page/tools/tool.js'
import { currentPage } from '../dom/dom.js'
import { takeSnapshot } from '../dom/page-snapshot.js'
import { normalizeText, truncate } from '../dom/text.js'
import type { ActionEffect } from './page-diff.js'
import { runAndCompare } from './page-diff.js'
import { checkPlanUnchanged, planWithPreview, planAction, siteOf } from './planned-action.js'
import type { ActionPlan } from './planned-action.js'

/** @throws `invalid-input` for all but http and https URLs without credentials */
function addressOf(input: Record<string, unknown>): URL {
  const asked = String(input['url'] ?? '').trim()
  const url =
    asked !== '' && URL.canParse(asked, currentPage().baseURI) ? new URL(asked, currentPage().baseURI) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new ToolAgentError(
      'invalid-input',
      `Cannot open ${JSON.stringify(truncate(asked, 80))}. Pass an http or https URL, or a path on this site.`,
    )
  return url
}

function planFor(url: URL, run: Parameters<typeof takeSnapshot>[0]): ActionPlan {
  const site = siteOf(url)
  return planAction(
    'go',
    undefined,
    { url: truncate(normalizeText(url.href), 400), whole: url.href, ...(site ? { site } : {}) },
    undefined,
    takeSnapshot(run),
  )
}

/** `page_navigate`. */
export const pageNavigate: Tool<Record<string, unknown>, ActionEffect> = {
  name: 'page_navigate',
  title: 'Go to another page',
  description:
    'Opens another URL in this tab, preferably one that page_read returned as a link. The user is asked first. ' +
    'Input that was not submitted is lost.',
  inputSchema: {
    type: 'object',
    properties: {
      url: { type: 'string', minLength: 1, description: 'Path on this site, such as /orders/7, or a full URL.' },
    },
    required: ['url'],
  },
  annotations: { consequentialHint: true, untrustedContentHint: true },
  timeout: 30_000,
  exclusive: true,
  [previewAction]: (input, run) => planWithPreview(run, planFor(addressOf(input), run)),
  execute(input, run) {
    const url = addressOf(input)
    const plan = planFor(url, run)
    checkPlanUnchanged(run, plan)
    return runAndCompare(run, plan.preview.site, () => location.assign(url))
  },
  toModelOutput: ({ output: { changes } }) => changes,
}
