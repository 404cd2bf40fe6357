import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../kernel/errors.ts'
import { FIRMWARE_TRANSITIONS } from '../../firmware/states.ts'
import {
  ACTORS,
  checkOperatorTransition,
  DEVICE_STATES,
  OTA_STATUSES,
  OTA_TRANSITIONS,
  type OtaTransition,
  statusAfter,
} from './states.ts'

const TRANSITIONS = Object.keys(OTA_TRANSITIONS) as OtaTransition[]

/** Written again by hand: status, actor, transition and new status. */
const ALLOWED = new Set(
  `queued service notify notified
  notified device download downloading
  notified device finish_download downloaded
  downloading device finish_download downloaded
  notified device install installing
  downloading device install installing
  downloaded device install installing
  notified device succeed succeeded
  downloading device succeed succeeded
  downloaded device succeed succeeded
  installing device succeed succeeded
  notified device fail failed
  downloading device fail failed
  downloaded device fail failed
  installing device fail failed
  queued service time_out failed
  notified service time_out failed
  downloading service time_out failed
  downloaded service time_out failed
  installing service time_out failed
  failed service try_again queued
  queued operator cancel cancelled
  notified operator cancel cancelled
  downloading operator cancel cancelled
  downloaded operator cancel cancelled
  queued service cancel cancelled
  notified service cancel cancelled
  downloading service cancel cancelled
  downloaded service cancel cancelled
  failed operator retry queued
  cancelled operator retry queued`
    .split('\n')
    .map((line) => line.trim()),
)

describe('states of an update', () => {
  it('allow exactly these transitions', () => {
    const allowed: string[] = []
    for (const status of OTA_STATUSES)
      for (const by of ACTORS)
        for (const transition of TRANSITIONS) {
          const to = statusAfter(transition, status, by)
          if (to) allowed.push(`${status} ${by} ${transition} ${to}`)
        }
    expect(allowed.toSorted()).toEqual([...ALLOWED].toSorted())
  })

  it.each(OTA_STATUSES)('reject every other transition of an operator from %s', (status) => {
    for (const transition of ['cancel', 'retry'] as const) {
      const isAllowed = [...ALLOWED].some((line) => line.startsWith(`${status} operator ${transition} `))
      if (isAllowed) expect(() => checkOperatorTransition(transition, status)).not.toThrow()
      else expect(() => checkOperatorTransition(transition, status)).toThrow(AppError)
    }
  })

  it('match docs/understand/ota.md', async () => {
    const text = await readFile('docs/understand/ota.md', 'utf8')
    const rowsOf = (heading: string) =>
      (text.split(/^## /m).find((part) => part.startsWith(heading)) ?? '')
        .split('\n')
        .filter((line) => line.startsWith('| `'))
        .map((row) =>
          row
            .split('|')
            .slice(1, -1)
            .map((cell) => cell.trim().replaceAll('`', '')),
        )
    expect(rowsOf('States of an update')).toEqual(
      Object.entries(OTA_TRANSITIONS).map(([transition, { from, to, by }]) => [
        transition,
        by.join(', '),
        from.join(', '),
        to,
      ]),
    )
    expect(rowsOf('Words of devices')).toEqual(Object.entries(DEVICE_STATES))
    expect(rowsOf('States of a firmware version')).toEqual(
      Object.entries(FIRMWARE_TRANSITIONS).map(([transition, { from, ...rest }]) => [
        transition,
        from.join(', '),
        'to' in rest ? rest.to : 'stays',
      ]),
    )
  })
})
