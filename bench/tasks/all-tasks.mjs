// The list of all tasks, by the folder of their kind.
import { tasks as apps } from './apps/tasks.mjs'
import { tasks as forms } from './forms/tasks.mjs'
import { tasks as jquery } from './jquery-ui/tasks.mjs'
import { tasks as lists } from './lists/tasks.mjs'
import { tasks as mail } from './mail/tasks.mjs'
import { tasks as unmarked } from './unmarked/tasks.mjs'
import { tasks as webmcp } from './webmcp/tasks.mjs'
import { tasks as widgets } from './widgets/tasks.mjs'

/** Every task with the folder of its page. */
export const allTasks = Object.entries({
  forms,
  widgets,
  'jquery-ui': jquery,
  mail,
  lists,
  apps,
  unmarked,
  webmcp,
}).flatMap(([kind, tasks]) => tasks.map((task) => ({ ...task, kind })))
