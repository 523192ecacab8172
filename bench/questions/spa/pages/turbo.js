// The library alone: links and forms of a frame stay in it.
import '@hotwired/turbo'
import { ran } from './talk.js'

document.addEventListener('turbo:before-fetch-request', ({ detail }) => {
  if (detail.url.pathname.includes('resolve')) ran(detail.url.pathname)
})
