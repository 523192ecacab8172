import { Component, CUSTOM_ELEMENTS_SCHEMA, DestroyRef, inject, signal } from '@angular/core'
import 'tool-agent'
import { AssistantAgent } from './agent'
import { agentSignal } from './agent-signal'

const orders = [
  { id: 1, product: 'Sencha' },
  { id: 2, product: 'Assam' },
]

@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <h1>Tea shop</h1>
    <ul>
      @for (order of shown(); track order.id) {
        <li>{{ order.product }}</li>
      }
    </ul>
    @for (task of tasks(); track task.text) {
      <p>{{ task.text }}: {{ task.status }}</p>
    }
    <label>Wishes <textarea name="wishes"></textarea></label>
    <tool-agent [agent]="agent" page-tools="read fill" heading="Help"></tool-agent>
  `,
})
export class App {
  readonly agent = inject(AssistantAgent).agent
  readonly shown = signal(orders)
  readonly tasks = agentSignal(this.agent, ({ todos }) => todos)

  constructor() {
    const unregister = this.agent.registerTool({
      name: 'find_orders',
      description: 'Finds the orders of the signed-in customer by a part of the product’s name. Returns a list.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      annotations: { readOnlyHint: true },
      execute: ({ query }) => {
        this.shown.set(orders.filter(({ product }) => product.toLowerCase().includes(query.toLowerCase())))
        return this.shown()
      },
    })
    inject(DestroyRef).onDestroy(unregister)
  }
}
