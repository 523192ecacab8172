// page_navigate: opens another URL in this tab. A link of the page needs no approval, another site each time.
import { ToolAgentError } from '../../core/data/errors.js'
import { currentPage } from '../dom/dom.js'
import { takeSnapshot } from '../dom/page-snapshot.js'
import { normalizeText, truncate } from '../dom/text.js'
import { addressEffect } from '../effects/predict-effect.js'
import { siteOf } from '../effects/read-request.js'
import { actAndCompare, actionTool, type Input } from './action-tool.js'
import { planAction, type ActionPlan, type PlanRun } from './planned-action.js'

/** @throws `invalid-input` for all but http and https URLs without credentials */
function addressOf(input: Input): URL {
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

function planVisit(url: URL, run: PlanRun): ActionPlan {
  const site = siteOf(url)
  const snapshot = takeSnapshot(run)
  const destination = { url: truncate(normalizeText(url.href), 400), whole: url.href, ...(site ? { site } : {}) }
  const predicted = addressEffect(url, snapshot)
  return planAction({ does: 'go', destination, element: currentPage().body, predicted }, snapshot, run)
}

/** `page_navigate`. */
export const pageNavigate = actionTool({
  name: 'page_navigate',
  title: 'Go to another page',
  description:
    'Opens a URL in this tab, best one of a link: for others the user is asked. Input that was not sent is lost.',
  inputSchema: {
    type: 'object',
    properties: {
      url: { type: 'string', minLength: 1, description: 'Such as /orders/7.' },
    },
    required: ['url'],
  },
  plan(input, run) {
    const url = addressOf(input)
    return { url, plan: planVisit(url, run) }
  },
  run: ({ url, plan }, run) => actAndCompare(plan, run, { act: () => location.assign(url) }),
  words: ({ changes }) => [changes],
})
