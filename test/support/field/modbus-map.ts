/** A register of a test map; by default a holding register of one word. */
export type MapRegister = Readonly<Record<string, unknown>> & {
  readonly key: string
  readonly address: number
}

export interface MapOptions {
  readonly defaults?: Readonly<Record<string, unknown>>
  readonly groups?: Readonly<Record<string, number>>
}

/** A register map document; poll groups by name with their periods in milliseconds. */
export const mapDocument = (
  registers: readonly MapRegister[],
  { defaults = {}, groups = { normal: 100 } }: MapOptions = {},
) => ({
  format: 'ems-register-map/1',
  transports: ['modbus_tcp'],
  defaults: { inter_request_ms: 0, timeout_ms: 100, retries: 1, ...defaults },
  poll_groups: Object.fromEntries(Object.entries(groups).map(([name, period_ms]) => [name, { period_ms }])),
  registers: registers.map((register) => ({ function: 3, type: 'u16', kind: 'gauge', ...register })),
})
