import { describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.ts'
import {
  applyFirmwareTransition,
  FIRMWARE_STATUSES,
  FIRMWARE_TRANSITIONS,
  type FirmwareTransition,
} from './states.ts'

const MOVES = Object.keys(FIRMWARE_TRANSITIONS) as FirmwareTransition[]
const ALLOWED = ['draft change draft', 'draft release released', 'released deprecate deprecated']

describe('states of a firmware version', () => {
  it.each(FIRMWARE_STATUSES.flatMap((status) => MOVES.map((move) => [status, move] as const)))(
    '%s: %s',
    (status, move) => {
      const allowed = ALLOWED.find((line) => line.startsWith(`${status} ${move} `))
      if (allowed) expect(applyFirmwareTransition(move, status)).toBe(allowed.split(' ')[2])
      else expect(() => applyFirmwareTransition(move, status)).toThrow(AppError)
    },
  )
})
