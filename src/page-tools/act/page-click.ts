// page_click: one press on one element. Foreseen for the question, worked out anew when it is done, and told by what
// changed.
import { foresee } from '../../core/turn/action-preview.js'
import type { Tool } from '../../page/tools/tool.js'
import { highlight } from '../dom/highlight.js'
import type { RunLike, Reading } from '../dom/page-snapshot.js'
import { startReading, textArgument } from '../dom/page-snapshot.js'
import type { Effect } from './page-diff.js'
import { watched } from './page-diff.js'
import type { Plan } from './planned-action.js'
import { checkForeseen, consequenceOf, foreseeing, planOf, wayOfForm, wayOfLink } from './planned-action.js'
import { press } from './dispatch-click.js'
import type { Place } from './resolve-target.js'
import { checkAllowed, checkReachable, placeOf, targetOf, wordsFor } from './resolve-target.js'

interface Click {
  readonly element: Element
  readonly place: Place
  readonly plan: Plan
}

function plan(element: Element, reading: Reading): Plan {
  const led = consequenceOf(element)
  const way = led ? ('form' in led ? wayOfForm(led.form, led.button) : wayOfLink(led.link, led.href)) : {}
  return planOf('click', wordsFor(element, reading), way, led && 'form' in led ? led : undefined, reading)
}

function clickOf(input: Record<string, unknown>, run: RunLike): Click {
  const reading = startReading(run)
  const element = targetOf(String(input['target'] ?? ''), textArgument(input['role']), reading)
  checkAllowed(element, reading)
  checkReachable(element, reading)
  const led = consequenceOf(element)
  if (led && 'form' in led) checkAllowed(led.form, reading)
  const place = placeOf(element, reading)
  return { element, place, plan: plan(element, reading) }
}

/** What a browser does where this page cannot see it. */
const elsewhere = new Map([
  ['tab', 'A new tab was asked for; whether the browser opened it cannot be seen from here.'],
  ['download', 'A download was asked for; whether it came cannot be seen from here.'],
])

export const withElsewhere = ({ changes, ...effect }: Effect, opens: string | undefined): Effect => ({
  ...effect,
  changes: [elsewhere.get(opens ?? ''), changes].filter((text) => text !== undefined).join('\n'),
})

export const pageClick: Tool<Record<string, unknown>, Effect & { clicked: string }> = {
  name: 'page_click',
  title: 'Click on the page',
  description:
    'Clicks a button, link or other element as a person would, and answers with what changed on the page. The user is asked first. To fill fields use form_fill, to send a form form_submit.',
  inputSchema: {
    type: 'object',
    properties: {
      target: {
        type: 'string',
        minLength: 1,
        description: 'Ref of the element as page_read gives it, such as e12, or its whole name.',
      },
      role: {
        type: 'string',
        description: 'With a name: the role, such as button or link, where several have that name.',
      },
    },
    required: ['target'],
  },
  annotations: { consequentialHint: true, untrustedContentHint: true },
  timeout: 30_000,
  exclusive: true,
  [foresee](input, run) {
    const click = clickOf(input, run)
    highlight({ element: click.element as HTMLElement, members: [] })
    return foreseeing(run, click.plan)
  },
  async execute(input, run) {
    const { element, place, plan: now } = clickOf(input, run)
    checkForeseen(run, now)
    highlight({ element: element as HTMLElement, members: [] })
    const effect = await watched(run, now.preview.site, () =>
      press(place, () => {
        // Its own handlers may have changed where it leads while the button was down.
        const reading = startReading(run)
        if (element.isConnected && plan(element, reading).key !== now.key)
          checkForeseen({ toolCallId: run.toolCallId }, plan(element, reading))
      }),
    )
    return { clicked: now.preview.target ?? '', ...withElsewhere(effect, now.preview.opens) }
  },
  toModelOutput: ({ output: { clicked, changes } }) => `Clicked ${clicked}.\n${changes}`,
}
