import { describe, expect, test } from 'vitest'
import { formatVariableKey, parseVariableKey } from './variable-key.ts'

describe('key of a variable in one line', () => {
  test.each([
    ['OCPPCommCtrlr.HeartbeatInterval', { component: 'OCPPCommCtrlr', variable: 'HeartbeatInterval' }],
    ['EVSE@1.Power', { component: 'EVSE', evse_id: 1, variable: 'Power' }],
    [
      'Connector@1:2.Available',
      { component: 'Connector', evse_id: 1, connector_id: 2, variable: 'Available' },
    ],
    [
      'TariffCostCtrlr[a.b].Enabled[Tariff]#Target',
      {
        component: 'TariffCostCtrlr',
        component_instance: 'a.b',
        variable: 'Enabled',
        variable_instance: 'Tariff',
        attribute_type: 'Target',
      },
    ],
  ])('%s', (key, address) => {
    expect(JSON.parse(JSON.stringify(parseVariableKey(key)))).toEqual(address)
    expect(formatVariableKey(address)).toBe(key)
  })

  test('of a component as a whole, and a text that is no key', () => {
    expect(parseVariableKey('EVSE@2')).toMatchObject({ component: 'EVSE', evse_id: 2 })
    expect(parseVariableKey('EVSE@2')).not.toHaveProperty('variable')
    for (const key of ['', '.x', 'a.', 'a.b.c', 'a@x.b', 'a.b#Nope', 'a[.b'])
      expect(parseVariableKey(key)).toBeUndefined()
  })
})
