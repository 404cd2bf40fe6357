import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LOCK_STATUSES, LOCK_TRANSITIONS, type LockTransition, lockAfter } from './states.ts'

const TRANSITIONS = Object.keys(LOCK_TRANSITIONS) as LockTransition[]

/** Written again by hand. */
const ALLOWED = ['hanging remove removed', 'hanging force removed']

describe('states of a LOTO lock', () => {
  it.each(LOCK_STATUSES.flatMap((status) => TRANSITIONS.map((transition) => [status, transition] as const)))(
    '%s: %s',
    (status, transition) => {
      const to = ALLOWED.find((line) => line.startsWith(`${status} ${transition} `))?.split(' ')[2]
      expect(lockAfter(transition, status)).toBe(to)
    },
  )

  it('match the documentation page', () => {
    const page = readFileSync(new URL('../../../../../docs/understand/loto.md', import.meta.url), 'utf8')
    const [, section = ''] = page.split('## States of a lock\n')
    const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
    const cells = rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
    expect(cells).toEqual(
      Object.entries(LOCK_TRANSITIONS).map(([transition, { by, from, to }]) => [
        transition,
        by,
        from.join(', '),
        to,
      ]),
    )
  })
})
