import { expect, it } from 'vitest'
import { makeClock } from '../runtime/clock.ts'
import { MQTT_LOGIN_FAILURES_PER_MINUTE } from './limits.ts'
import { makeLogins } from './logins.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const RIGHT = { username: 'gateway', password: 'right', certificateNames: [] }
const WRONG = { ...RIGHT, password: 'wrong' }
const MOUNT = { tenantId: 1, gatewayId: 'g' } as never

it('an address with too many wrong logins is admitted again when the clock is set back', async () => {
  let time = 10 * HOUR
  const logins = makeLogins({
    clock: makeClock(() => time),
    verify: async ({ password }) => (password === 'right' ? MOUNT : undefined),
  })
  for (let count = 0; count < MQTT_LOGIN_FAILURES_PER_MINUTE; count += 1)
    await logins.enter(WRONG, '10.0.0.1')
  expect(await logins.enter(RIGHT, '10.0.0.1')).toBe('refused')
  time -= HOUR
  expect(await logins.enter(RIGHT, '10.0.0.1')).toBe(MOUNT)
  for (let count = 0; count < MQTT_LOGIN_FAILURES_PER_MINUTE; count += 1)
    await logins.enter(WRONG, '10.0.0.1')
  expect(await logins.enter({ ...RIGHT, username: 'other' }, '10.0.0.1')).toBe('refused')
  time += MINUTE
  expect(await logins.enter({ ...RIGHT, username: 'other' }, '10.0.0.1')).toBe(MOUNT)
})
