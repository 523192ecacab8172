// The search index: one document for each section of each page.
import MiniSearch from 'minisearch'
import { searchOptions } from './client/search-options.js'

/** @param {readonly { url: string, title: string, passages: import('./markdown.mjs').Passage[] }[]} pages */
export function searchIndex(pages) {
  const index = new MiniSearch(searchOptions)
  let id = 0
  for (const { url, title, passages } of pages) {
    for (const { heading, id: anchor, text, excerpt } of passages) {
      index.add({
        id: id++,
        heading,
        page: heading === title ? '' : title,
        url: anchor === '' ? url : `${url}#${anchor}`,
        text,
        excerpt,
      })
    }
  }
  return index
}
