import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export interface ModbusMetrics {
  readonly registersRead: Counter
  readonly errors: Counter<'kind'>
  /** Seconds from the due time of a poll to its first request. */
  readonly lateness: Histogram
  readonly missed: Counter
  readonly devices: Gauge<'state'>
}

export function makeModbusMetrics(registry: Registry): ModbusMetrics {
  const registers = [registry]
  return {
    registersRead: new Counter({
      name: 'netsaat_modbus_registers_read_total',
      help: 'Registers (or bits) that Modbus devices have answered.',
      registers,
    }),
    errors: new Counter({
      name: 'netsaat_modbus_errors_total',
      help: 'Requests to Modbus devices that got no values, by kind.',
      labelNames: ['kind'] as const,
      registers,
    }),
    lateness: new Histogram({
      name: 'netsaat_modbus_poll_lateness_seconds',
      help: 'How late polls begin after the moment that they were due.',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers,
    }),
    missed: new Counter({
      name: 'netsaat_modbus_polls_missed_total',
      help: 'Polls that were left out because the one before took too long.',
      registers,
    }),
    devices: new Gauge({
      name: 'netsaat_modbus_devices',
      help: 'Devices that this process polls, by state.',
      labelNames: ['state'] as const,
      registers,
    }),
  }
}
