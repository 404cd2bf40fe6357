import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SESSION_FLAGS } from '../../areas/charging/sessions/flags.ts'
import { EXPORTED, METRICS } from './measurands.ts'

const text = readFileSync(new URL('../../../docs/understand/charging-sessions.md', import.meta.url), 'utf8')
const rowsAfter = (head: string) =>
  text
    .slice(text.indexOf(head))
    .split('\n\n')[0]
    ?.split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim())) ?? []

it('documentation lists every flag of a session', () => {
  expect(rowsAfter('| Flag |').map(([, flag]) => flag)).toEqual(SESSION_FLAGS.map((flag) => `\`${flag}\``))
})

it('documentation lists every measurand that has a metric of ours', () => {
  const rows = rowsAfter('| Measurand |')
  expect(rows.map(([, , metric]) => /`(\w+)`/.exec(metric ?? '')?.[1])).toEqual(Object.values(METRICS))
  const named = rows.map(([, measurands]) => measurands).join()
  for (const measurand of [...Object.keys(METRICS), ...Object.keys(EXPORTED)])
    expect(named).toContain(measurand)
})
