import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkMove, SESSION_MOVES, SESSION_STATUSES, type SessionMove, statusAfter } from './states.ts'

const moves = Object.keys(SESSION_MOVES) as SessionMove[]
const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

describe('the states of a LOTO session', () => {
  it('are those of the page, move by move', () => {
    const lines = readFileSync(
      new URL('../../../../../docs/understand/loto.md', import.meta.url),
      'utf8',
    ).split('\n')
    const header = lines.find((line) => line.startsWith('| from |')) ?? ''
    const rows = lines.filter((line) => SESSION_STATUSES.some((status) => line.startsWith(`| ${status} |`)))
    expect(cells(header)).toEqual(['from', ...moves])
    expect(rows.map(cells)).toEqual(
      SESSION_STATUSES.map((status) => [status, ...moves.map((move) => statusAfter(move, status) ?? '409')]),
    )
  })

  it.each(SESSION_STATUSES.flatMap((status) => moves.map((move) => [status, move] as const)))(
    'refuse what they do not allow: %s, %s',
    (status, move) => {
      const to = statusAfter(move, status)
      if (to) expect(checkMove(move, status)).toBe(to)
      else expect(() => checkMove(move, status)).toThrow(`the session is ${status}: it cannot be `)
    },
  )

  it('allow nothing once it is rejected or released, and say why a move is refused', () => {
    for (const move of moves) {
      expect(statusAfter(move, 'rejected')).toBeUndefined()
      expect(statusAfter(move, 'released')).toBeUndefined()
    }
    expect(() => checkMove('apply', 'pending')).toThrow('the session is pending: it cannot be applied')
  })
})
