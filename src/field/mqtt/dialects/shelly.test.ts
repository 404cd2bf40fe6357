import { describe, expect, it } from 'vitest'
import { message } from '../../../../test/support/field/dialects.ts'
import { shelly } from './shelly.ts'

const decode = (topic: string, payload: unknown) => shelly.decode(message(topic, payload))
const METER = 'shellypro3em-b827eb364242'

/** The status objects of the API documentation, without phases b and c where they repeat phase a. */
const EM = {
  id: 0,
  a_current: 4.029,
  a_voltage: 236.1,
  a_act_power: 951.2,
  a_aprt_power: 951.9,
  a_pf: 1,
  a_freq: 50,
  b_current: 4.027,
  b_voltage: 236.201,
  b_act_power: -951.1,
  n_current: 11.029,
  total_current: 11.083,
  total_act_power: 2484.782,
  total_aprt_power: 2486.7,
  user_calibrated_phase: [],
}
const EMDATA = {
  id: 0,
  a_total_act_energy: 0,
  a_total_act_ret_energy: 0,
  total_act: 1_234_567.89,
  total_act_ret: 12,
}

describe('Shelly dialect', () => {
  it('decodes a three-phase meter and its registers in Wh', () => {
    expect(decode(`${METER}/status/em:0`, EM).readings).toMatchObject([
      {
        device: METER,
        values: {
          current_l1: 4.029,
          voltage_l1: 236.1,
          active_power_l1: 0.9512,
          a_aprt_power: 951.9,
          a_pf: 1,
          frequency: 50,
          current_l2: 4.027,
          voltage_l2: 236.201,
          active_power_l2: -0.9511,
          n_current: 11.029,
          current: 11.083,
          active_power: 2.484782,
          apparent_power: 2.4867,
        },
      },
    ])
    expect(decode(`${METER}/status/emdata:0`, EMDATA).readings?.[0]?.values).toEqual({
      a_total_act_energy: 0,
      a_total_act_ret_energy: 0,
      import_active_energy: 1234.56789,
      export_active_energy: 0.012,
    })
  })

  it('decodes each channel of a single-phase meter as a separate device', () => {
    const em1 = {
      id: 1,
      current: 2.598,
      voltage: 234.9,
      act_power: 501.8,
      aprt_power: 612.4,
      pf: 0.84,
      freq: 50,
    }
    expect(decode('shellyproem50-1/status/em1:1', { ...em1, calibration: 'factory' }).readings).toMatchObject(
      [
        {
          device: 'shellyproem50-1:1',
          values: {
            current: 2.598,
            voltage: 234.9,
            active_power: 0.5018,
            apparent_power: 0.6124,
            power_factor: 0.84,
            frequency: 50,
          },
        },
      ],
    )
    const data = { id: 0, total_act_energy: 5, total_act_ret_energy: 1 }
    expect(decode('shellyproem50-1/status/em1data:0', data).readings).toMatchObject([
      { device: 'shellyproem50-1:0', values: { import_active_energy: 0.005, export_active_energy: 0.001 } },
    ])
  })

  it('decodes a plug, ignoring the energy of its last minutes', () => {
    const plug = {
      id: 0,
      source: 'WS_in',
      output: true,
      apower: 8.9,
      voltage: 237.5,
      current: 0.05,
      aenergy: { total: 6532, by_minute: [45.199, 47.141, 88.397], minute_ts: 1_626_935_779 },
      temperature: { tC: 23.5, tF: 74.4 },
    }
    expect(decode('shellyplusplugs-1/status/switch:0', plug).readings?.[0]?.values).toEqual({
      output: 1,
      active_power: 0.0089,
      voltage: 237.5,
      current: 0.05,
      import_active_energy: 6.532,
      temperature: 23.5,
    })
  })

  it('decodes notifications with their time, all components of a meter as one reading', () => {
    const notification = (method: string) => ({
      src: METER,
      dst: `${METER}/events`,
      method,
      params: { ts: 1_631_186_545.04, 'em:0': EM, 'emdata:0': EMDATA, 'sys:0': { uptime: 5 } },
    })
    for (const method of ['NotifyStatus', 'NotifyFullStatus']) {
      const { readings } = decode(`${METER}/events/rpc`, notification(method))
      expect(readings).toHaveLength(1)
      expect(readings?.[0]).toMatchObject({ device: METER, at: 1_631_186_545_040 })
      expect(readings?.[0]?.values).toMatchObject({
        active_power: 2.484782,
        import_active_energy: 1234.56789,
      })
    }
    expect(decode(`${METER}/events/rpc`, notification('NotifyEvent'))).toEqual({})
  })

  it('reports online state, and ignores other components', () => {
    expect(decode(`${METER}/online`, 'true').availability).toEqual([{ device: METER, isOnline: true }])
    expect(decode(`${METER}/online`, 'false').availability).toEqual([{ device: METER, isOnline: false }])
    expect(() => decode(`${METER}/online`, '1')).toThrowError('neither true nor false')
    expect(decode(`${METER}/status/wifi`, { rssi: -60 })).toEqual({})
  })

  it('claims no topics of other dialects', () => {
    for (const topic of [
      'status',
      'telemetry',
      'zigbee2mqtt/a/online',
      'tele/a/status/em:0',
      'v1/a/status/x',
    ]) {
      expect(shelly.claims(topic)).toBe(false)
    }
  })
})
