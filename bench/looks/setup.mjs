// What was fixed before the first vote: products, states, texts and sizes.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @typedef {{ name: string, width: number, height: number }} Size */
/**
 * `about`: what the picture shows, in words that a voter reads. `typed`: left in the field. `shows: 'block'`: as much of the
 * code or table as fits; else a picture has what the product shows by itself.
 * @typedef {object} State
 * @property {string} name
 * @property {string} about
 * @property {readonly string[]} peers
 * @property {readonly import('./server.mjs').Turn[]} turns
 * @property {string} [typed]
 * @property {boolean} [isDark]
 * @property {'block'} [shows]
 * @property {'filling' | 'asking' | 'done' | 'review' | 'undone'} [acts] a picture of `bench/story`, of the whole window
 */
/**
 * @typedef {object} Setup
 * @property {number} scale of the pictures
 * @property {readonly Size[]} sizes
 * @property {readonly string[]} peers
 * @property {{ shop: string, greeting: string, suggestions: readonly string[] }} texts
 * @property {readonly State[]} states
 */

/** @type {Setup} */
export const setup = JSON.parse(readFileSync(new URL('states.json', import.meta.url), 'utf8'))

/** Where pictures and bundles are. Git ignores it. */
export const pictures = fileURLToPath(new URL('pictures', import.meta.url))
