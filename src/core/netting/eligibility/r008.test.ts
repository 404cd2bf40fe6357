import { expect, test } from 'vitest'
import { makeGroupInput } from '../../../../test/support/netting/eligibility-input.ts'
import { r008 } from './r008.ts'

test('R008 is not_checked without a data source, and does not prevent a valid group', () => {
  expect(r008).toMatchObject({ code: 'R008', severity: 'info', isBlocking: false })
  expect(r008.check(makeGroupInput())).toMatchObject({ status: 'not_checked', reasonCode: 'NO_DATA_SOURCE' })
})
