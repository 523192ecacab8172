// An app with mistakes, for Angular, compiled in the browser. The spec sets the properties of the element.
import '@angular/compiler'
import 'tool-agent'
import { Component, CUSTOM_ELEMENTS_SCHEMA, provideZonelessChangeDetection, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { app, revive } from './mistakes-app.js'

class Mistakes {
  props = signal(revive(app.state.props))
  count = signal(0)

  constructor() {
    app.observe(() => this.props.set(revive(app.state.props)))
  }
}

const MistakesApp = Component({
  selector: 'main',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <button (click)="count.set(count() + 1)">count {{ count() }}</button>
    <tool-agent
      model="m"
      [endpoint]="props().endpoint ?? '/v1'"
      [pageTools]="props().pageTools"
      [approval]="props().approval"
      [layout]="props().layout"
      [limits]="props().limits"
    ></tool-agent>
  `,
})(Mistakes)

app.start = () => {
  void bootstrapApplication(MistakesApp, { providers: [provideZonelessChangeDetection()] })
}
app.begin()
