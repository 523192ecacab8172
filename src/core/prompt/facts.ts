// What the model learns about the day and the page. The facts belong to the message of the user that begins a turn and
// are stored with it. A request contains those that have changed since the facts before them, so text that was sent
// keeps its bytes, and what is still in the request is not repeated.
import { allToolCalls, type Fact, type Message, type ToolCallPart } from '../data/message.js'
import type { Turn } from '../data/session.js'
import { fenceUntrusted, sliceText, toOneLine } from './cut-and-fence.js'

const languageTag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/
/** Characters of all facts but the page's own, and of the labels of forms. */
const maxChars = 1_200
const maxFormsChars = 800
/** Characters of what the page says about itself, beside all other facts. */
const maxContextChars = 2_000
/** Of what the user has undone: the newest calls, characters of the arguments of one, and of all. */
const undone = { calls: 5, input: 80, chars: 400 }

/**
 * The facts of a turn, fixed at its start. They have no time of day. Title, path, labels of forms and what the page
 * says about itself are untrusted: they are cleaned and cut here, and fenced in the request. The language is a fact
 * only if it is a valid language tag. `messages`: those of the session, for what the user has undone.
 */
export function turnFacts(
  { facts: page, startedAt }: Pick<Turn, 'facts' | 'startedAt'>,
  messages: readonly Message[] = [],
): Fact[] {
  const { timeZone, utcOffset = 0, lang, forms } = page
  // Not with Intl, whose first format takes several milliseconds. In UTC, this date has the values of the local time.
  const date = new Date(startedAt + utcOffset * 60_000)
  const url = URL.canParse(page.url) ? new URL(page.url) : undefined
  const origin = url?.origin === 'null' ? url.protocol : url?.origin
  const address = url ? `${origin}${toOneLine(url.pathname, 200)}` : ''
  const known: Fact[] = [
    { name: 'Today', text: `${date.toISOString().slice(0, 10)} (${date.toUTCString().slice(0, 3)})` },
    { name: 'Time zone', text: timeZone },
    ...(languageTag.test(lang) ? [{ name: 'Page language', text: lang }] : []),
    ...outside('Page title', toOneLine(page.title, 120)),
    ...outside(pageAddress, address),
    ...outside('Undone by the user', toOneLine(undoneText(messages), undone.chars)),
  ]
  const room = maxChars - factsText([...known, { name: 'Forms', text: '', untrusted: true }], '0'.repeat(16)).length
  return [
    ...known,
    ...outside('Forms', cutAtWord(toOneLine(forms ?? '', 2_000), Math.min(room, maxFormsChars))),
    ...outside('Page context', toOneLine(page.context ?? '', maxContextChars)),
  ]
}

const pageAddress = 'Page address'

/** The newest calls that the user has undone, by name and arguments; '' without any. */
function undoneText(messages: readonly Message[]): string {
  const calls = allToolCalls(messages).filter(({ part }) => part.undone && part.undone.state !== 'failed')
  return calls
    .slice(-undone.calls)
    .map(({ part }) => undoneCall(part))
    .join('; ')
}

function undoneCall({ call: { name, input }, undone: how }: ToolCallPart): string {
  const text = JSON.stringify(input)
  const called = `${name} ${text.length > undone.input ? `${sliceText(text, 0, undone.input)}…` : text}`
  if (how?.state === 'begun') return `${called} (whether that took effect is not known)`
  return how?.kept?.length ? `${called} (left as they are now: ${how.kept.join(', ')})` : called
}

function outside(name: string, text: string): Fact[] {
  return text === '' ? [] : [{ name, text, untrusted: true }]
}

/** Whether facts have words of the page, which anyone may have written. Its address does not count. */
export function hasPageWords(facts: readonly Fact[]): boolean {
  return facts.some(({ name, untrusted }) => untrusted && name !== pageAddress)
}

function cutAtWord(text: string, chars: number): string {
  if (text.length <= chars) return text
  const cut = sliceText(text, 0, chars - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), chars / 2)).trimEnd()}…`
}

/** The facts that the model knows from the messages so far, by name. */
export type KnownFacts = ReadonlyMap<string, Fact>

/** The facts that are not known yet or have another text. One that is known and not among them is said to be none. */
export function changedFacts(facts: readonly Fact[], known: KnownFacts): Fact[] {
  if (facts.length === 0) return []
  const gone = [...known.values()].filter(({ name }) => !facts.some((one) => one.name === name))
  return [
    ...facts.filter(({ name, text }) => known.get(name)?.text !== text),
    ...gone.map(({ name }) => ({ name, text: 'none' })),
  ]
}

/** What is known after all facts of a turn. Without facts, as in an older message, nothing changes. */
export function withFacts(known: KnownFacts, facts: readonly Fact[]): KnownFacts {
  return facts.length === 0 ? known : new Map(facts.map((fact) => [fact.name, fact]))
}

/** The first line of facts in a request. The lines after it, up to an empty line, are not the user's. */
export const factsHeading = 'Facts from the page, not written by the user:'

/** Facts as the model reads them, without an empty line; '' if there are none. `boundary`: see `fenceUntrusted`. */
export function factsText(facts: readonly Fact[], boundary: string): string {
  if (facts.length === 0) return ''
  const lines = (own: readonly Fact[]) => own.map(({ name, text }) => `${name}: ${text}`).join('\n')
  const untrusted = facts.filter((fact) => fact.untrusted)
  return [
    factsHeading,
    lines(facts.filter((fact) => !fact.untrusted)),
    untrusted.length > 0 ? fenceUntrusted(lines(untrusted), boundary) : '',
  ]
    .filter(Boolean)
    .join('\n')
}
