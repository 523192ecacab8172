// The agent that a component shows while there is none: without options, and never connected.
import { Agent } from '../index.js'

let blank: Agent | undefined

/** An agent without a session. */
export function blankAgent(): Agent {
  return (blank ??= new Agent())
}
