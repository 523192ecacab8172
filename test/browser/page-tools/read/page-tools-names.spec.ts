// Our names and roles against the browser's own, on real forms. Chromium tells them behind a switch.
import { expect, test as base } from '../../../support/page/site.js'
import { corpusFiles, missingCorpus } from '../../../support/lab/corpora.js'

const test = base.extend<object, object>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      await use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), '--enable-blink-features=ComputedAccessibilityInfo'],
      })
    },
    { scope: 'worker' },
  ],
})
const files = corpusFiles('forms', '.html').filter((_, index) => index % 6 === 0)

test("names and roles of controls equal the browser's, except for invisible content", async ({
  page,
  site,
  browserName,
}) => {
  test.skip(browserName !== 'chromium', 'SKIPPED 1 test: only Chromium tells computed names')
  test.skip(files.length === 0, missingCorpus('forms', 1))
  test.setTimeout(120_000)
  await page.route(
    (address) => address.origin !== site,
    (route) => route.abort(),
  )
  await page.goto(`${site}/test/pages/session/blank.html`)
  const total = { controls: 0, roles: 0, names: 0 }
  const differences: string[] = []
  for (const file of files) {
    const body = file
      .read()
      .replace(/<script[\s\S]*?<\/script>/gi, '')
      .replace(/<base\b[^>]*>|<meta[^>]*http-equiv[^>]*>/gi, '')
    const row = await page.evaluate(async (text) => {
      document.open()
      document.write(text)
      document.close()
      const { Visibility } = (await import(
        `${location.origin}/src/page-tools/dom/visibility.ts`
      )) as typeof import('../../../../src/page-tools/dom/visibility.js')
      const { accessibleNameOf, roleOf } = (await import(
        `${location.origin}/src/page-tools/dom/accessible-name.ts`
      )) as typeof import('../../../../src/page-tools/dom/accessible-name.js')
      const { toComparable } = (await import(
        `${location.origin}/src/page-tools/dom/text.ts`
      )) as typeof import('../../../../src/page-tools/dom/text.js')
      const visibility = new Visibility()
      const own = new Map([
        ['searchbox', 'searchbox'],
        ['Date', 'textbox'],
        ['ColorWell', 'textbox'],
        ['InputTime', 'textbox'],
        ['DateTime', 'textbox'],
      ])
      const found = { controls: 0, roles: 0, names: 0, differences: [] as string[] }
      for (const element of [
        ...document.querySelectorAll('input:not([type=hidden]),select,textarea,button,a[href]'),
      ].slice(0, 120)) {
        if (!visibility.isShown(element)) continue
        const { computedName, computedRole } = element as Element & { computedName?: string; computedRole?: string }
        if (computedName === undefined || computedRole === undefined || computedRole === 'none' || computedRole === '')
          continue
        found.controls++
        if ((own.get(computedRole) ?? computedRole) === roleOf(element)) found.roles++
        else found.differences.push(`role ${computedRole} | ${roleOf(element)}: ${element.outerHTML.slice(0, 120)}`)
        // The browser takes a placeholder for a name; for us it is one label among others.
        const ours = toComparable(accessibleNameOf(element, visibility)).slice(0, 100)
        const theirs = toComparable(
          ours === '' && computedName === element.getAttribute('placeholder') ? '' : computedName,
        ).slice(0, 100)
        if (theirs === ours || (theirs.length === 100 && ours.startsWith(theirs.slice(0, 80)))) found.names++
        else found.differences.push(`name ${theirs} | ${ours}: ${element.outerHTML.slice(0, 120)}`)
      }
      return found
    }, body)
    total.controls += row.controls
    total.roles += row.roles
    total.names += row.names
    differences.push(...row.differences)
  }
  const share = (part: number): string =>
    `${part} of ${total.controls} (${((100 * part) / total.controls).toFixed(1)} %)`
  console.log(
    `\nAgainst the browser's own, ${files.length} pages\n  roles ${share(total.roles)}\n  names ${share(total.names)}`,
  )
  if (process.env['SHOW_DIFFERENCES']) console.log(differences.join('\n'))
  expect(total.controls).toBeGreaterThan(400)
  expect(total.roles / total.controls).toBeGreaterThan(0.99)
  expect(total.names / total.controls).toBeGreaterThan(0.98)
})

test('names by markup equal those of dom-accessibility-api', async ({ page, site }) => {
  test.skip(files.length === 0, missingCorpus('forms', 1))
  test.setTimeout(120_000)
  await page.route(
    (address) => address.origin !== site,
    (route) => route.abort(),
  )
  await page.goto(`${site}/test/pages/session/blank.html`)
  const markup = `<button aria-labelledby="a b">x</button><i id=a>One <b hidden>two</b></i><i id=b aria-label=Three></i>
    <label>Every <input value=typed> <select><option>day<option selected>week</select> <meter value=3></meter></label>
    <label>Loud <span role=slider aria-valuetext=very></span><button aria-label=Close></button></label>
    <fieldset><legend>Legend</legend><input type=submit><input type=reset><input type=image title=Map></fieldset>
    <table><caption>Caption</caption></table><svg role=img><title>Drawing</title></svg><img alt=Photo><img title=Tip>
    <a href=#><div>Block</div><span>inline</span><img alt=icon></a><p aria-label=Forbidden role=paragraph></p>
    <div role=button aria-owns=a>Owner</div><h2 role=none>Heading</h2><ul role=menu aria-label=Menu></ul>
    <style>.g::before { content: "Before" } .g::after { content: "After" }</style><button class=g>Text</button>`
  const texts = [markup, ...files.map((file) => file.read().replace(/<script[\s\S]*?<\/script>|<base\b[^>]*>/gi, ''))]
  for (const text of texts) {
    const differences = await page.evaluate(async (text) => {
      document.open()
      document.write(text)
      document.close()
      const { computeAccessibleName } = (await import(
        `${location.origin}/test/pages/page-tools/accname.ts`
      )) as typeof import('../../../pages/page-tools/accname.js')
      const { textAlternativeOf } = (await import(
        `${location.origin}/src/page-tools/dom/text-alternative.ts`
      )) as typeof import('../../../../src/page-tools/dom/text-alternative.js')
      const { labelsOf } = (await import(
        `${location.origin}/src/page-tools/dom/accessible-name.ts`
      )) as typeof import('../../../../src/page-tools/dom/accessible-name.js')
      const { Visibility } = (await import(
        `${location.origin}/src/page-tools/dom/visibility.ts`
      )) as typeof import('../../../../src/page-tools/dom/visibility.js')
      const visibility = new Visibility()
      const view = {
        labelsOf: (element: Element) => labelsOf(element, visibility),
        displayOf: (element: Element) => getComputedStyle(element).display,
        isHidden: (element: Element) =>
          element.hasAttribute('hidden') ||
          element.getAttribute('aria-hidden') === 'true' ||
          getComputedStyle(element).display === 'none' ||
          getComputedStyle(element).visibility === 'hidden',
        generatedText: (element: Element, pseudo: string) =>
          /^"(.*)"$/.exec(getComputedStyle(element, pseudo).content)?.[1] ?? '',
      }
      // What a person may have typed never becomes part of our names.
      const typed = 'textarea,input,[role=textbox]'
      return [...document.body.querySelectorAll('*')]
        .filter(
          (element) =>
            !element.querySelector(typed) &&
            !element.matches('form,[role=textbox]') &&
            Array.from((element as Partial<HTMLInputElement>).labels ?? []).every(
              (label) => label.querySelectorAll(typed).length < 2,
            ),
        )
        .slice(0, 400)
        .map((element) => [
          textAlternativeOf(element, view),
          computeAccessibleName(element, { computedStyleSupportsPseudoElements: true }),
          element.outerHTML.slice(0, 120),
        ])
        .filter(([ours, theirs]) => ours !== theirs)
    }, text)
    expect(differences).toEqual([])
  }
})
