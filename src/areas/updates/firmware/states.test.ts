import { describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.ts'
import {
  applyFirmwareTransition,
  FIRMWARE_STATUSES,
  FIRMWARE_TRANSITIONS,
  type FirmwareTransition,
} from './states.ts'

const TRANSITIONS = Object.keys(FIRMWARE_TRANSITIONS) as FirmwareTransition[]
const ALLOWED = ['draft change draft', 'draft release released', 'released deprecate deprecated']

describe('states of a firmware version', () => {
  it.each(
    FIRMWARE_STATUSES.flatMap((status) => TRANSITIONS.map((transition) => [status, transition] as const)),
  )('%s: %s', (status, transition) => {
    const allowed = ALLOWED.find((line) => line.startsWith(`${status} ${transition} `))
    if (allowed) expect(applyFirmwareTransition(transition, status)).toBe(allowed.split(' ')[2])
    else expect(() => applyFirmwareTransition(transition, status)).toThrow(AppError)
  })
})
