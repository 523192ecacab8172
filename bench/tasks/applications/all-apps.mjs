// All applications with tasks: those of this project, and those of others from npm, unchanged.
import { app as board } from './board/app.mjs'
import { app as calendar } from './calendar/app.mjs'
import { app as cms } from './cms/app.mjs'
import { app as design } from './design/app.mjs'
import { app as grid } from './grid/app.mjs'
import { app as mail } from './mail/app.mjs'
import { app as sbAdmin } from './npm/sb-admin.mjs'
import { app as svgEdit } from './npm/svgedit.mjs'
import { app as swaggerUi } from './npm/swagger-ui.mjs'
import { app as tiddlyWiki } from './npm/tiddlywiki.mjs'
import { app as todomvc } from './npm/todomvc.mjs'
import { app as planner } from './planner/app.mjs'
import { app as settings } from './settings/app.mjs'
import { app as shop } from './shop/app.mjs'
import { app as tracker } from './tracker/app.mjs'

/** @typedef {import('./app-run.mjs').TaskApp} TaskApp */

/** @type {readonly TaskApp[]} */
export const apps = [mail, shop, tracker, calendar, board, planner, grid, settings, design, cms]

/** Applications from npm. @type {readonly TaskApp[]} */
export const npmApps = [todomvc, swaggerUi, sbAdmin, tiddlyWiki, svgEdit]

/** Every task of some applications, with its application. @param {readonly TaskApp[]} some */
export const tasksOf = (some) => some.flatMap((app) => app.tasks.map((task) => ({ app, task })))
