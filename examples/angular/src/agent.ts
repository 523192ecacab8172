import { Injectable } from '@angular/core'
import { createAgent } from 'tool-agent/agent'

// Set in angular.json.
declare const ENDPOINT: string
declare const MODEL: string

/** One agent for the whole app. angular.json copies the worker to `/tool-agent/`. */
@Injectable({ providedIn: 'root' })
export class AssistantAgent {
  readonly agent = createAgent({ endpoint: ENDPOINT, model: MODEL, workerUrl: '/tool-agent/worker.js' })
}
