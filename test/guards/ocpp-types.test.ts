import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { encoderV16 } from '../../src/field/ocpp/encoding.ts'
import type { MessagesV16 } from '../../src/field/ocpp/messages-v16.ts'
import type { Handlers } from '../../src/field/ocpp/types.ts'
import { OCPP_VERSIONS } from '../../src/kernel/ocpp.ts'
import { OCPP_TYPES_FILES, ocppTypesText } from '../../tools/ocpp-types.ts'

it.each(OCPP_VERSIONS)('the committed message types of OCPP %s match a fresh generation', async (version) => {
  expect(await readFile(OCPP_TYPES_FILES[version], 'utf8')).toBe(ocppTypesText(version))
})

it('the compiler rejects a handler or an encoder that does not fit its action', () => {
  const handlers: Handlers<MessagesV16> = {
    // @ts-expect-error: the response has no such status
    BootNotification: async () => ({ status: 'Perhaps', currentTime: '2026-11-20T10:00:00Z', interval: 300 }),
    // @ts-expect-error: the request of a heartbeat is empty
    Heartbeat: async (_station, { uptime }) => ({ currentTime: uptime }),
  }
  // @ts-expect-error: the request has no such type
  const reset = encoderV16('Reset', () => ({ type: 'Warm' }))
  expect([Object.keys(handlers), reset.action]).toEqual([['BootNotification', 'Heartbeat'], 'Reset'])
})
