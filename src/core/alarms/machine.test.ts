import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { INPUTS, nextPhase, PHASES, TRANSITIONS } from './machine.ts'

test('the table of docs/understand/alarms.md equals the state machine', () => {
  const doc = readFileSync(new URL('../../../docs/understand/alarms.md', import.meta.url), 'utf8')
  const section = doc.split(/^## /m).find((text) => text.startsWith('Two levels')) ?? ''
  const documented = section
    .split('\n')
    .filter((line) => /^\| (clear|pending|open|clearing) \|/.test(line))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, 4),
    )
  const transitions = PHASES.flatMap((phase) =>
    INPUTS.map((input) => {
      const { to, after, waitIn } = TRANSITIONS[phase][input]
      return [phase, input, after ? `${to} after ${after}, until then ${waitIn}` : to]
    }),
  )
  expect(documented).toEqual(transitions)
})

test('a delay starts with the first value of its kind and ends after the configured time', () => {
  const delays = { delayOnMs: 10, delayOffMs: 20 }
  const first = nextPhase({ phase: 'clear', since: 0 }, { input: 'trips', at: 5 }, delays)
  expect(first).toEqual({ phase: 'pending', since: 5 })
  expect(nextPhase(first, { input: 'trips', at: 14 }, delays)).toEqual({ phase: 'pending', since: 5 })
  expect(nextPhase(first, { input: 'trips', at: 15 }, delays)).toEqual({ phase: 'open', since: 5 })
  expect(nextPhase(first, { input: 'holds', at: 15 }, delays)).toMatchObject({ phase: 'clear' })
})

test('without delays there are no waiting states', () => {
  const delays = { delayOnMs: 0, delayOffMs: 0 }
  expect(nextPhase({ phase: 'clear', since: 0 }, { input: 'trips', at: 5 }, delays).phase).toBe('open')
  expect(nextPhase({ phase: 'open', since: 5 }, { input: 'clears', at: 6 }, delays).phase).toBe('clear')
})
