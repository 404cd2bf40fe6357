import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.ts'
import { OPERATOR_ACTIONS, REQUESTS } from '../actions/requests.ts'
import { COMMAND_STATES, COMMAND_TRANSITIONS, type CommandTransition, nextState } from './states.ts'

const TRANSITIONS = Object.keys(COMMAND_TRANSITIONS) as CommandTransition[]

/** The same table, written by hand. */
const ALLOWED = [
  'pending send sent',
  'sent accept accepted',
  'sent reject rejected',
  'sent fail failed',
  'sent time_out timed_out',
  'pending expire expired',
  'pending cancel cancelled',
]

describe('states of a command', () => {
  it.each(COMMAND_STATES.flatMap((state) => TRANSITIONS.map((transition) => [state, transition] as const)))(
    '%s: %s',
    (state, transition) => {
      const allowed = ALLOWED.find((line) => line.startsWith(`${state} ${transition} `))
      if (allowed) expect(nextState(transition, state)).toBe(allowed.split(' ')[2])
      else expect(() => nextState(transition, state)).toThrow(AppError)
    },
  )

  it('and actions with their fields match docs/integrate/chargers.md', async () => {
    const text = await readFile('docs/integrate/chargers.md', 'utf8')
    const rowsOf = (heading: string) =>
      (text.split(/^#{2,3} /m).find((part) => part.startsWith(heading)) ?? '')
        .split('\n')
        .filter((line) => line.startsWith('| `'))
        .map((row) =>
          row
            .split('|')
            .slice(1, -1)
            .map((cell) => cell.trim().replaceAll('`', '')),
        )
    expect(rowsOf('States of a command')).toEqual(
      Object.entries(COMMAND_TRANSITIONS).map(([transition, { from, to }]) => [
        transition,
        from.join(', '),
        to,
      ]),
    )
    expect(rowsOf('Actions').map(([action, fields]) => [action, fields])).toEqual(
      OPERATOR_ACTIONS.map((action) => [action, Object.keys(REQUESTS[action].properties).join(', ')]),
    )
  })
})
