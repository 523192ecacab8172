// What the visitor does while an action runs. What follows from it is theirs, and who goes on by hand has answered.
import { ancestor, isTag } from '../dom/dom.js'
import { isDialog } from '../dom/roles.js'

/** Milliseconds after an input of the user in which a navigation is theirs. */
const afterInput = 1_000

/** Whether the event that runs now is an input of the visitor. */
export function isInputRunning(): boolean {
  const { event } = window
  return event?.isTrusted === true && /^(click|pointer|mouse|key|submit|change|input)/.test(event.type)
}

/** The inputs of the visitor from its creation until `signal` aborts. */
export class VisitorInput {
  readonly #signal: AbortSignal
  readonly #control: Element | undefined
  readonly #goesOn: () => void
  #last = -Infinity

  /** `control`: what the action presses. `goesOn` is called when the visitor touches its form or dialog. */
  constructor(signal: AbortSignal, control: Element | undefined, goesOn: () => void) {
    this.#signal = signal
    this.#control = control
    this.#goesOn = goesOn
  }

  /** Whether there was one a moment ago. */
  get isRecent(): boolean {
    return performance.now() - this.#last < afterInput
  }

  watch(view: EventTarget): void {
    const note = (event: Event): void => {
      if (!event.isTrusted) return
      this.#last = performance.now()
      if (this.#control && event.composedPath().includes(aroundDeed(this.#control))) this.#goesOn()
    }
    for (const type of ['pointerdown', 'keydown'])
      view.addEventListener(type, note, { capture: true, passive: true, signal: this.#signal })
  }
}

/** The form or dialog of a control, or the control alone. */
const aroundDeed = (control: Element): Element =>
  ancestor(control, (above) => isTag(above, 'form', 'dialog') || isDialog(above)) ?? control
