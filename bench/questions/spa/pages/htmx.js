// The library alone: what it does is in the attributes that the server wrote.
import htmx from 'htmx.org'
import { ran } from './talk.js'

document.addEventListener('htmx:configRequest', ({ detail }) => {
  if (detail.path.includes('resolve')) ran(detail.path)
})
htmx.process(document.body)
