// The assistant: the panel and its tools. angular.json copies the worker to /tool-agent/, because the bundler of Angular leaves
// it out.
import { afterNextRender, Component, CUSTOM_ELEMENTS_SCHEMA, ElementRef, viewChild } from '@angular/core'
import 'tool-agent'
import type { ToolAgentElement } from 'tool-agent'
import { addNote, findNotes } from './tools'

@Component({
  selector: 'app-assistant',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <tool-agent
      #element
      endpoint="/models/openai"
      model="gpt-5-mini"
      page-tools="read fill"
      layout="floating"
      heading="Help"
      worker-url="/tool-agent/worker.js"
    ></tool-agent>
  `,
})
export class Assistant {
  readonly element = viewChild.required<ElementRef<ToolAgentElement>>('element')

  constructor() {
    afterNextRender(() => void this.element().nativeElement.registerTool([findNotes, addNote]))
  }
}
