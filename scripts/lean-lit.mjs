// A plugin of the build that removes from Lit what no part of the panel or the inspector uses, because every visitor of a
// page with a visible panel loads Lit: properties that are reflected to attributes, declarations by decorators, values
// inside of `css`, attributes that are numbers or JSON, and style sheets for browsers without `adoptedStyleSheets`, which
// the panel requires. The build fails if a source uses one of them, or if Lit does not have the code that is replaced.

/**
 * What is replaced, by the end of a file's name. Lit's files are minified, so names are written as they are there.
 * @type {Record<string, [from: string | RegExp, to: string][]>}
 */
const replacements = {
  'reactive-element.js': [
    // `toAttribute` is used for reflection only.
    [/toAttribute\(t,s\)\{[^]*?return t\},fromAttribute/, 'fromAttribute'],
    [/switch\(s\)\{case Boolean:i=null!==t;[^]*?\}return i/, 'return s===Boolean?null!==t:t'],
    ['fromAttribute(t,s){let i=t;return', 'fromAttribute(t,s){return'],
    ['reflect:!1,useDefault:!1,', ''],
    [/_\$ET\(t,s\)\{.*?\}\}(?=_\$AK)/, ''],
    ['||i.useDefault&&i.reflect&&h===this._$Ej?.get(t)&&!this.hasAttribute(r._$Eu(t,i))', ''],
    [
      /C\(t,s,\{useDefault:i,reflect:e,wrapped:h\},r\)\{.*?\}(?=async _\$EP)/,
      'C(t,s){this._$AL.has(t)||(this.hasUpdated||(s=void 0),this._$AL.set(t,s))}',
    ],
    ['this[e]=r??this._$Ej?.get(e)??r', 'this[e]=r'],
    ['this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),', ''],
    // Metadata are set by decorators.
    ['Symbol.metadata??=Symbol("metadata"),a.litPropertyMetadata??=new WeakMap;', ''],
    [/const t=this\[Symbol\.metadata\];if\(null!==t\)\{.*?\}(?=this\._\$Eh=)/, ''],
  ],
  'css-tag.js': [
    [/i=\(t,\.\.\.e\)=>\{.*?\},S=/, 'i=t=>new n(t[0],t,s),S='],
    [/if\(e\)s\.adoptedStyleSheets=(.*?);else for\(.*?\}\}(?=,c=)/, 's.adoptedStyleSheets=$1}'],
    [/c=e\?t=>t:.*?;(?=export)/, 'c=t=>t;'],
  ],
}

/** What sources must not use, because it is removed. */
const removed =
  /\breflect: |\buseDefault: |\bconverter: |\btype: (?:Number|Object|Array)\b|css`[^`]*\$\{|from 'lit\/decorators/

/** @type {import('rolldown').Plugin} */
export const leanLit = {
  name: 'lean-lit',
  transform: {
    filter: {
      id: /[\\/]node_modules[\\/]@lit[\\/]reactive-element[\\/](?:reactive-element|css-tag)\.js$|[\\/]src[\\/]ui[\\/].*\.ts$/,
    },
    handler(code, id) {
      if (id.endsWith('.ts')) {
        const used = removed.exec(code)
        if (used) throw new Error(`${id} uses ${used[0]}, which the build removes from Lit: see scripts/lean-lit.mjs`)
        return
      }
      const [, list = []] = Object.entries(replacements).find(([name]) => id.endsWith(name)) ?? []
      let lean = code
      for (const [from, to] of list) {
        const before = lean
        lean = lean.replace(from, to)
        if (lean === before) throw new Error(`${id} does not contain ${from}: adapt scripts/lean-lit.mjs`)
      }
      return { code: lean, map: null }
    },
  },
}
