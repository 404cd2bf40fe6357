import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LOCK_MOVES, LOCK_STATUSES, type LockMove, lockAfter } from './states.ts'

const MOVES = Object.keys(LOCK_MOVES) as LockMove[]

/** Written down once more, by hand. */
const ALLOWED = ['hanging remove removed', 'hanging force removed']

describe('the states of a LOTO lock', () => {
  it.each(LOCK_STATUSES.flatMap((status) => MOVES.map((move) => [status, move] as const)))(
    '%s: %s',
    (status, move) => {
      const to = ALLOWED.find((line) => line.startsWith(`${status} ${move} `))?.split(' ')[2]
      expect(lockAfter(move, status)).toBe(to)
    },
  )

  it('are those of the page', () => {
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
      Object.entries(LOCK_MOVES).map(([move, { by, from, to }]) => [move, by, from.join(', '), to]),
    )
  })
})
