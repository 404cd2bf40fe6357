import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  applyBatchTransition,
  BATCH_STATUSES,
  BATCH_TRANSITIONS,
  type BatchTransition,
  batchStatusAfter,
} from './states.ts'

const TRANSITIONS = Object.keys(BATCH_TRANSITIONS) as BatchTransition[]

/** Written again by hand: status, transition and new status. */
const ALLOWED = [
  'running next_wave running',
  'running complete completed',
  'running stop stopped',
  'running cancel cancelled',
  'completed roll_back completed',
  'stopped roll_back stopped',
  'cancelled roll_back cancelled',
]

describe('states of a batch of updates', () => {
  it.each(BATCH_STATUSES.flatMap((status) => TRANSITIONS.map((transition) => [status, transition] as const)))(
    '%s: %s',
    (status, transition) => {
      const to = ALLOWED.find((line) => line.startsWith(`${status} ${transition} `))?.split(' ')[2]
      expect(batchStatusAfter(transition, status)).toBe(to)
      if (to) expect(applyBatchTransition(transition, status)).toBe(to)
      else expect(() => applyBatchTransition(transition, status)).toThrow(`the batch is ${status}: it `)
    },
  )

  it('match docs/understand/ota.md', () => {
    const page = readFileSync(new URL('../../../../../docs/understand/ota.md', import.meta.url), 'utf8')
    const [, section = ''] = page.split('## States of a batch\n')
    const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
    const cells = rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
    expect(cells).toEqual(
      Object.entries(BATCH_TRANSITIONS).map(([transition, { by, from, ...rest }]) => [
        transition,
        by,
        from.join(', '),
        'to' in rest ? rest.to : 'stays',
      ]),
    )
  })
})
