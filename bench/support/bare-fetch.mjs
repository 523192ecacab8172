// The floor of rows that wait for a model: the same requests by `fetch` alone, one after the other, without a loop.

/**
 * Opens an empty page. Returns a function that posts bodies of these sizes to the model and reads its answers.
 * @param {import('./lab.mjs').Lab} lab @param {import('./site.mjs').Model} model
 */
export async function bareFetch(lab, model) {
  const page = await lab.open(lab.site.add('<!doctype html><title>Bench</title><link rel="icon" href="data:,">'))
  /** @param {readonly number[]} sizes characters */
  return (sizes) =>
    page.evaluate(
      async ({ path, sizes }) => {
        const bodies = sizes.map((size) => JSON.stringify({ stream: true, messages: [], text: 'x'.repeat(size) }))
        /** @type {number[]} */
        const times = []
        for (const body of bodies) {
          const begin = performance.now()
          const headers = { 'content-type': 'application/json' }
          await (await fetch(`${path}/chat/completions`, { method: 'POST', headers, body })).text()
          times.push(performance.now() - begin)
        }
        return times
      },
      { path: model.path, sizes },
    )
}
