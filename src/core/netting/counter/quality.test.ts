import { expect, it } from 'vitest'
import { parseKwh } from '../../../kernel/decimal.ts'
import { qualityOf } from './quality.ts'

const known = { energy: parseKwh('1.000'), hasReading: true, isSuspect: false }

it('quality has its limits at 95 and 50 percent completeness', () => {
  expect(qualityOf({ ...known, completenessPct: 95 })).toEqual({ quality: 'complete', isLow: false })
  expect(qualityOf({ ...known, completenessPct: 94.99 })).toEqual({ quality: 'partial', isLow: false })
  expect(qualityOf({ ...known, completenessPct: 50 })).toEqual({ quality: 'partial', isLow: false })
  expect(qualityOf({ ...known, completenessPct: 49.99 })).toEqual({ quality: 'partial', isLow: true })
})

it('a reset takes precedence over completeness, and an hour without a reading is still missing', () => {
  expect(qualityOf({ ...known, isSuspect: true, completenessPct: 100 })).toEqual({
    quality: 'suspect',
    isLow: false,
  })
  const missing = { quality: 'missing', isLow: false }
  expect(qualityOf({ ...known, hasReading: false, isSuspect: true, completenessPct: 0 })).toEqual(missing)
  expect(qualityOf({ ...known, energy: null, completenessPct: 0 })).toEqual(missing)
})
