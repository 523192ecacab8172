// The table and the JSON of an evaluation. Neither contains the key.
import type { Settings } from './arguments.js'
import type { TaskRun } from './run-task.js'

/** A row per task and model, and the problems of failed runs below. */
export function tableReport(runs: readonly TaskRun[]): string {
  const rows = [...grouped(runs).values()].map((group) => {
    const [{ name, model }] = group as [TaskRun]
    const average = (value: (run: TaskRun) => number) => group.reduce((sum, run) => sum + value(run), 0) / group.length
    const passed = group.filter(({ success }) => success).length
    return [
      name,
      model,
      group.length === 1 ? yesOrNo(passed === 1) : `${passed} of ${group.length}`,
      rounded(average(({ steps }) => steps)),
      String(Math.round(average(({ inputTokens }) => inputTokens))),
      String(Math.round(average(({ outputTokens }) => outputTokens))),
      `${(average(({ ms }) => ms) / 1000).toFixed(1)} s`,
    ]
  })
  const head = ['task', 'model', 'success', 'steps', 'tokens in', 'tokens out', 'time']
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column < 3 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ')
  const problems = runs.flatMap(({ name, model, problem }) =>
    problem === undefined ? [] : [`${name} (${model}): ${problem}`],
  )
  const passed = runs.filter(({ success }) => success).length
  return [line(head), ...rows.map(line), '', ...problems, `${passed} of ${runs.length} runs succeeded`].join('\n')
}

const yesOrNo = (value: boolean) => (value ? 'yes' : 'NO')
const rounded = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1))

export function jsonReport(runs: readonly TaskRun[], { endpoint }: Pick<Settings, 'endpoint'>): string {
  // Without its query, which may contain a key.
  const url = endpoint === undefined ? null : new URL(endpoint)
  return JSON.stringify(
    {
      endpoint: url && url.origin + url.pathname,
      offline: url === null,
      success: runs.every(({ success }) => success),
      runs,
    },
    null,
    2,
  )
}

function grouped(runs: readonly TaskRun[]): Map<string, TaskRun[]> {
  const groups = new Map<string, TaskRun[]>()
  for (const run of runs) {
    const key = JSON.stringify([run.name, run.model])
    groups.set(key, [...(groups.get(key) ?? []), run])
  }
  return groups
}
