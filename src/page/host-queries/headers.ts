// The headers of requests to the endpoint, from the option `headers`. Those of the first request of a turn are made
// before its message is posted, and leave with it if they are known by then. They are credentials: each answer is given
// away once, and never to another host than the one for which it was made.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import type { PageAnswers } from '../../core/data/protocol.js'
import type { QueryOf } from '../../core/loop/turn-deps.js'
import type { AgentOptions } from '../options.js'
import { ignoreRejection } from '../promises.js'
import type { QueryDeps } from './query-deps.js'

type Headers = PageAnswers['headers']
type Reason = QueryOf<'headers'>['reason']

/** The headers of the first request of a turn. */
interface FirstHeaders {
  readonly turn: string
  /** What made them. The page may set another option meanwhile: its user logs in as somebody else. */
  readonly option: AgentOptions['headers']
  readonly answer: Promise<Headers>
  /** The answer, once it is there. */
  known?: Headers
}

/** Gives the headers of requests to the host. */
export class RequestHeaders {
  readonly #deps: QueryDeps
  #first: FirstHeaders | undefined

  constructor(deps: QueryDeps) {
    this.#deps = deps
  }

  /** Begins to ask for the headers of the first request of a turn. Call it a moment before its message is posted. */
  begin(turn: string): void {
    this.forget()
    const { headers: option } = this.#deps.options()
    if (option === undefined) return
    const first: FirstHeaders = { turn, option, answer: headersFor(option, 'request') }
    this.#first = first
    void ignoreRejection(
      first.answer.then((headers) => {
        first.known = headers
      }),
    )
  }

  /** What leaves with the message of a turn: the headers, if they are known. Otherwise the host asks for them. */
  take(turn: string): Headers | undefined {
    const first = this.#first
    if (first?.known === undefined || !this.#isFor(first, turn)) return undefined
    this.forget()
    return first.known
  }

  /** Answers a query: the first one of a turn with what was begun and has not left, whether it succeeds or not. */
  answer({ reason }: QueryOf<'headers'>): Promise<Headers> {
    const first = this.#first
    this.forget()
    const { options, session } = this.#deps
    return reason === 'request' && first && this.#isFor(first, session().turn?.id)
      ? first.answer
      : headersFor(options().headers, reason)
  }

  /** Drops what was begun. */
  forget(): void {
    this.#first = undefined
  }

  #isFor({ turn, option }: FirstHeaders, other: string | undefined): boolean {
    return turn === other && option === this.#deps.options().headers
  }
}

/** Rejects with `invalid-option` unless it is an object of strings. The message omits the value: it may be secret. */
async function headersFor(option: AgentOptions['headers'], reason: Reason): Promise<Headers> {
  const given: unknown = typeof option === 'function' ? await option(reason) : option
  const [name, wrong] = isObject(given)
    ? (Object.entries(given).find(([, value]) => typeof value !== 'string') ?? [])
    : ['', given]
  if (name !== undefined) {
    const expected = name === '' ? 'headers: expected an object of strings' : `headers: expected a string for "${name}"`
    throw new ToolAgentError('invalid-option', `${expected}, received ${wrong === null ? 'null' : typeof wrong}`)
  }
  return given as Headers
}
