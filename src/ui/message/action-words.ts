// The question about an action on the page, in words: what will happen, to what, and where. Names come from the page,
// so they are quoted, cut, and kept from changing the direction of the sentence. A preview may come from storage or
// another tab, so its shape is checked again.
import { effects, type Effect } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { isObject } from '../../core/data/json.js'
import type { ToolCallPart } from '../../core/data/message.js'
import type { NamedPart, NamedTarget, Preview } from '../../core/data/action.js'
import type { Words } from '../i18n/en.js'
import type { RenderState } from '../panel/render-context.js'
import type { IconName } from '../styles/icons.js'
import type { ToolAnnotations } from '../../core/data/tool.js'
import { isByVisitor, type CallLike } from './call/call-state.js'
import { inputLine } from './call/tool-call-summary.js'
import { callTitleOf } from './call-title.js'
import { effectInOlder, targetInOlder } from './older-questions.js'
import { cutMiddle, toSingleLine } from './values/shown-text.js'

/** A question in words. */
export interface ActionQuestion {
  /** What kind of effect is asked about. */
  readonly effect: Effect
  /** The question; undefined if the preview does not say what it is about. */
  readonly title: string | undefined
  /** The names and addresses that the title says in full. */
  readonly says: readonly string[]
  /** What the button that allows it does. */
  readonly verb: string
  /** What it is about, in words: `“Archive” in “Slack”`; an address if nothing else is known. */
  readonly about: string | undefined
  /** The other site or the address that it leads to, if `about` is not that. */
  readonly receiver: string | undefined
  /** What it was, if it was not allowed: `Not pressed: “Archive” in “Slack”`. */
  readonly notDone: string | undefined
  /** What the visitor pressed if they did it themselves; undefined for what is not pressed. */
  readonly pressed: string | undefined
  /** What the user must know before they allow it. */
  readonly warning: string | undefined
}

/**
 * How serious a question is: about what can be undone or reads only, about what has consequences, about what cannot be
 * undone.
 */
export type Level = 'harmless' | 'consequences' | 'final'

/** The icon of each level. */
export const levelIcons: Readonly<Record<Level, IconName>> = {
  harmless: 'info',
  consequences: 'shield',
  final: 'alert',
}

/** The effect decides for an action on the page, the hints of the author for other calls. */
export function levelOf(
  question: ActionQuestion | undefined,
  tool: { readonly annotations: ToolAnnotations; readonly isDiscovered: boolean } | undefined,
): Level {
  if (question !== undefined) {
    if (question.effect === 'destroy') return 'final'
    return question.effect === 'view' || question.effect === 'value' ? 'harmless' : 'consequences'
  }
  if (!tool) return 'consequences'
  const { destructiveHint, consequentialHint, openWorldHint, readOnlyHint } = tool.annotations
  if (destructiveHint === true) return 'final'
  // What a tool of the page or of a server does is not known without a hint.
  const isUnknown = tool.isDiscovered && readOnlyHint !== true
  return consequentialHint === true || openWorldHint === true || isUnknown ? 'consequences' : 'harmless'
}

/** Characters of a name, or of an address, in a title. The whole is below it. */
const titleLength = { name: 80, address: 60 }
/** A longer name does not fit on a button. */
const buttonLength = 20

/** The question about a call; undefined if the call is no action on the page. */
export function actionQuestion({ call, approval }: ToolCallPart, words: Words): ActionQuestion | undefined {
  const preview = approval?.preview
  const effect = effectOf(preview)
  if (!isObject(preview) || effect === undefined) return undefined
  const { approve, verbs, warnings, notDone } = words.approval
  const [sentence, verb] = sentenceFor(preview as unknown as Preview, effect, words)
  const { text: title, says = [], about: named, to } = sentence ?? {}
  const target = pressedOf(preview as unknown as Preview)
  const { name = '', role } = target?.on ?? {}
  const thing = thingOf(preview as unknown as Preview, target, words)?.text
  const about = named ?? thing ?? to
  let warning: string | undefined
  const stopped = stoppedBy(preview as unknown as Preview)
  const isSending = stopped.some(({ does }) => does === 'request' || does === 'submit')
  if (effect === 'destroy') warning = warnings.destroys
  else if ((preview as unknown as Preview).held === true && isSending) warning = warnings.held
  else if (stopped.length > 0) warning = warnings.stopped
  else if (effect === 'send' && verb !== 'send') warning = warnings.sends
  if ((preview as unknown as Preview).refused === true)
    warning = warning === undefined ? warnings.refused : `${warning} ${warnings.refused}`
  const other = call.name === 'form_fill' ? verbs.fill : approve
  const question = {
    effect,
    title,
    says,
    verb: verb === undefined ? other : verbs[verb],
    about,
    receiver: about === to ? undefined : to,
    notDone: about && notDone[deeds[verb ?? 'fill'] ?? 'press'](about),
    pressed: role === 'form' ? undefined : thing,
    warning,
  }
  if (effect !== 'destroy') return question
  const { does, how } = preview as unknown as Preview
  // What is held was pressed before.
  const isPressed = does !== 'drag' && how === undefined && stopped[0]?.effect !== 'destroy'
  const short = isPressed && /\p{L}/u.test(name) && name.length <= buttonLength ? name : undefined
  return { ...question, verb: short === undefined ? approve : verbs.named(quoted(short, words)) }
}

/** What a question is called: a sentence for an action on the page, or the title of the call. */
export function questionTitle(part: ToolCallPart, renderState: RenderState): string {
  const { from } = part.approval?.asks ?? {}
  if (from !== undefined) return renderState.words.approval.form.title(isolated(from, renderState.words))
  return actionQuestion(part, renderState.words)?.title ?? callTitleOf(part, renderState)
}

/** A call without a sentence, and what it is about. What did not happen, and what the visitor did, are called that. */
export function titleAndLine(part: CallLike, renderState: RenderState): readonly [title: string, line: string] {
  const title = callTitleOf(part, renderState)
  const question = part.type === 'tool-call' ? actionQuestion(part, renderState.words) : undefined
  const { about, receiver = '', notDone, pressed } = question ?? {}
  const line = question
    ? [about ?? '', receiver].filter((text) => text !== '').join(' · ')
    : inputLine(part, renderState)
  if (isByVisitor(part)) {
    const { doneByYou } = renderState.words.approval
    return pressed === undefined ? [doneByYou.other(title), line] : [doneByYou.press(pressed), receiver]
  }
  return isUnanswered(part) && notDone ? [notDone, receiver] : [title, line]
}

/** Whether a call was asked about and was not allowed: it never ran. */
function isUnanswered(part: CallLike): boolean {
  const { result, approval } = part.type === 'tool-call' ? part : {}
  const code = result?.error?.code
  if (code === 'denied' || code === 'superseded') return true
  return code === 'cancelled' && approval !== undefined && result?.startedAt === undefined
}

/**
 * The arguments on one line, or what a running tool asks; empty for an action on the page, whose question says what
 * they mean.
 */
export function argumentsLine(part: ToolCallPart, renderState: RenderState): string {
  const { asks } = part.approval ?? {}
  if (asks) return toSingleLine(asks.message)
  return actionQuestion(part, renderState.words) ? '' : inputLine(part, renderState, part.approval?.input)
}

/** The effect of a preview, the most serious of what was stopped. Undefined if the preview is about no action. */
function effectOf(preview: unknown): Effect | undefined {
  if (!isObject(preview)) return undefined
  const { effect } = preview as unknown as Preview
  const own = effects.find((one) => one === effect) ?? effectInOlder(preview as unknown as Preview)
  const all = [own, ...stoppedBy(preview as unknown as Preview).map((one) => one.effect)]
  return effects.findLast((one) => all.includes(one))
}

/** What was stopped, the most serious first. */
export function stoppedBy({ stopped }: Preview): readonly StoppedEffect[] {
  if (!Array.isArray(stopped)) return []
  const all = (stopped as readonly StoppedEffect[]).filter((one) => isObject(one) && effects.includes(one.effect))
  return all.sort((one, other) => effects.indexOf(other.effect) - effects.indexOf(one.effect))
}

/** What an action acts on; undefined for an address, and if nothing is known about it. */
export function targetOf({ on, key, by, target }: Preview): NamedTarget | undefined {
  const named = partOf(on)
  if (!named) return targetInOlder(target)
  return { on: named, key: typeof key === 'string' ? key : undefined, by: partOf(by) }
}

/** A part as it is stored or sent, if it is one. */
export function partOf(value: unknown): NamedPart | undefined {
  if (!isObject(value)) return undefined
  const { role, name, place } = value
  if (typeof role !== 'string' || typeof name !== 'string') return undefined
  if (!isObject(place) || typeof place['role'] !== 'string' || typeof place['name'] !== 'string') return { role, name }
  return { role, name, place: { role: place['role'], name: place['name'] } }
}

/** The control that is pressed: the button of a form that is sent by one. */
export function pressedOf(preview: Preview): NamedTarget | undefined {
  const { on, by, key } = targetOf(preview) ?? {}
  return on && by ? { on: { ...by, place: on }, key } : on && { on, key }
}

/** An address of this site as a path, and another one as it is. */
export function shownAddress(url: string): string {
  const { origin } = location
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
}

/** A host, or an address without one as it is. */
export function hostOf(site: string): string {
  return (URL.canParse(site) && new URL(site).host) || site
}

/** Words, and the names and addresses that they say in full. */
interface Phrase {
  readonly text: string
  readonly says: readonly string[]
  /** What comes first in it: the thing of a sentence. */
  readonly about?: string | undefined
  /** The address of a sentence that names no thing. */
  readonly to?: string | undefined
}

/** A phrase with others in it. */
const phrase = (make: (...texts: [string, string]) => string, ...parts: readonly Phrase[]): Phrase => ({
  text: make(parts[0]?.text ?? '', parts[1]?.text ?? ''),
  says: parts.flatMap(({ says }) => says),
  about: parts[0]?.text,
})
const plain = (text: string): Phrase => ({ text, says: [] })

/** A sentence about an address. */
function leading(make: (address: string) => string, address: string, words: Words): Phrase {
  const to = shortened(address, words)
  return { text: make(to.text), says: to.says, to: to.text }
}

/** An address, a host or a key, cut. */
function shortened(text: string, words: Words, most = titleLength.address): Phrase {
  const short = cutMiddle(text, most)
  return { text: isolated(short, words), says: short === text ? [text] : [] }
}

/** A name in quotation marks, cut. */
const named = (name: string, words: Words): Phrase => ({
  text: quoted(name, words),
  says: cutMiddle(name, titleLength.name) === name ? [name] : [],
})

type Sentence = readonly [Phrase | undefined, Verb | undefined]
type Verb = Exclude<keyof Words['approval']['verbs'], 'named'>

/** What is said of each if it was not done; `press` of the rest. */
const deeds: Partial<Record<Verb, 'send' | 'open' | 'other'>> = {
  send: 'send',
  open: 'open',
  leave: 'open',
  download: 'open',
  fill: 'other',
  drag: 'other',
  hover: 'other',
}

/** The sentence and the verb of the button. The verb is undefined where only "Allow" fits. */
function sentenceFor(preview: Preview, effect: Effect, words: Words): Sentence {
  const { ask } = words.approval
  const [stopped] = stoppedBy(preview)
  const { does, url, site, opens } = preview
  const target = targetOf(preview)
  const pressed = pressedOf(preview)
  const thing = thingOf(preview, pressed, words)
  if (stopped !== undefined) {
    if (stopped.does === 'request' || stopped.does === 'submit') return sendsBy(preview, stopped, thing, words)
    if (stopped.does === 'choose')
      return [phrase(ask.press, named(cutMiddle(stopped.operation ?? '', titleLength.address), words)), 'press']
    const kind = { open: 'tab', download: 'download', go: undefined } as const
    // Where a step in the history leads, the browser does not tell.
    if (stopped.does === 'go' && (stopped.url ?? stopped.site) === undefined) return [plain(ask.leaveBack), 'leave']
    return leadsTo({ url: stopped.url, site: stopped.site, opens: kind[stopped.does] }, words)
  }
  const isForm = does === 'submit' && !(effect === 'destroy' && pressed !== undefined && pressed.on.role !== 'form')
  if (isForm && typeof site === 'string') return [leading(ask.sendFormTo, hostOf(site), words), 'send']
  const form = target?.on.role === 'form' && target.on.name !== '' ? thingOf(preview, target, words) : undefined
  if (isForm && form !== undefined) return [phrase(ask.sendNamed, form), 'send']
  if (isForm) return [thing === undefined ? plain(ask.sendForm) : phrase(ask.sendWith, thing), 'send']
  const leads = does === 'go' || effect === 'go' || effect === 'outside'
  if (leads && (typeof url === 'string' || typeof site === 'string')) return leadsTo({ url, site, opens }, words)
  if (thing === undefined) return [undefined, undefined]
  if (does === 'drag') return [dragTo(preview, thing, words), 'drag']
  const isChange = does === undefined || typeof preview.types === 'string'
  return isChange ? [phrase(ask.change, thing), undefined] : clickOf(preview, thing, words)
}

const clicks = ['double', 'right', 'middle', 'hold', 'hover'] as const

/** The press on a thing, as it is made: a double click, a long press. */
function clickOf({ how }: Preview, thing: Phrase, { approval: { ask } }: Words): Sentence {
  const kind = clicks.find((one) => one === how) ?? 'press'
  return [phrase(ask[kind], thing), kind]
}

/** Data or a form that a stopped action would send: by the control, or by the other site. The path is below it. */
function sendsBy(
  preview: Preview,
  { effect, does, site, method }: StoppedEffect,
  thing: Phrase | undefined,
  words: Words,
): Sentence {
  const { ask } = words.approval
  const isForm = does === 'submit'
  if (site !== undefined) return [leading(isForm ? ask.sendFormTo : ask.sendTo, hostOf(site), words), 'send']
  if (thing === undefined) return [plain(isForm ? ask.sendForm : ask.sendData), 'send']
  // Where it was dragged is what it is for.
  if (preview.does === 'drag') return [dragTo(preview, thing, words), 'drag']
  if (effect === 'destroy') return [phrase(method === 'DELETE' ? ask.deleteWith : ask.destroyWith, thing), 'send']
  return [phrase(isForm ? ask.sendWith : ask.sendDataWith, thing), 'send']
}

/** What is dragged, and to what. */
function dragTo({ onto, to }: Preview, thing: Phrase, words: Words): Phrase {
  const { ask } = words.approval
  const end = partOf(onto) ?? targetInOlder(to)?.on
  if (end === undefined) return phrase(ask.move, thing)
  const name = end.name === '' ? plain(ask.unnamedPlace) : named(end.name, words)
  return phrase(ask.drag, thing, end.place?.name ? phrase(ask.inside, name, named(end.place.name, words)) : name)
}

/** What is pressed, with the row, card or item around it: `“Archive” in “Slack”`. */
function thingOf(preview: Preview, target: NamedTarget | undefined, words: Words): Phrase | undefined {
  if (target === undefined) return undefined
  const { ask } = words.approval
  const { key, on } = target
  const { role, name } = on
  const place = [preview.in, on.place?.name, preview.heading].find((one) => typeof one === 'string' && one !== '') ?? ''
  const inside = (thing: Phrase, where: string): Phrase =>
    where === '' ? thing : phrase(ask.inside, thing, named(where, words))
  if (key !== undefined) return inside(phrase(ask.key, shortened(key, words, 30)), name === '' ? place : name)
  const isMute = name !== '' && !/\p{L}/u.test(name)
  // "⚙" alone, from an older question, says no more than that there is a button.
  if (isMute && place === '' && role !== 'form') return phrase((text) => `${ask.unnamed} (${text})`, named(name, words))
  if (name !== '') return inside(named(name, words), place === name ? '' : place)
  if (role === 'form') return undefined
  return inside(plain(role === 'page' || typeof preview.types === 'string' ? ask.unnamedPlace : ask.unnamed), place)
}

/** Opening an address, here or in a window of its own, and leaving this site. */
function leadsTo(
  { url, site, opens }: { [Name in 'url' | 'site' | 'opens']: Preview[Name] | undefined },
  words: Words,
): Sentence {
  const { ask } = words.approval
  if (opens === 'download') return [leading(ask.download, fileOf(url ?? site ?? ''), words), 'download']
  if (typeof site !== 'string')
    return [leading(opens === 'tab' ? ask.openTab : ask.open, shownAddress(url ?? ''), words), 'open']
  const host = hostOf(site)
  // The address of a link that another program opens.
  if (host === site) return [leading(ask.openApp, url ?? site, words), 'open']
  return opens === 'tab' ? [leading(ask.openTab, host, words), 'open'] : [leading(ask.leave, host, words), 'leave']
}

/** The last part of an address, without its query. */
function fileOf(url: string): string {
  const path = url.replace(/[?#].*$/s, '')
  return path.split('/').findLast((part) => part !== '') ?? path
}

/** A name of the page or of an author, cut and in quotation marks. */
export function quoted(name: string, words: Words): string {
  return words.approval.ask.quote(isolated(cutMiddle(name, titleLength.name), words))
}

/** Text of the page that does not change the direction of the text around it. */
function isolated(text: string, { language }: Words): string {
  return language === 'ar' || /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u.test(text)
    ? `\u2068${text}\u2069`
    : text
}
