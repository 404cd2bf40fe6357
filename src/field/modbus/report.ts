import { MODBUS_REPORTED_MAX } from './limits.ts'
import type { Slave } from './slave.ts'

/** What is worth telling about a line: its devices that are silent, and registers that they refuse. */
export function reportOf(slaves: readonly Slave[]) {
  const troubled = slaves.flatMap((slave) => {
    const refused = slave.polls.flatMap((poll) => poll.refused.flatMap(({ block }) => block.keys))
    return slave.health === 'good' && refused.length === 0
      ? []
      : [{ device_id: slave.order.deviceId, state: slave.health, error: slave.lastError ?? null, refused }]
  })
  return {
    devices: slaves.length,
    good: slaves.filter(({ health }) => health === 'good').length,
    troubled: troubled.slice(0, MODBUS_REPORTED_MAX),
  }
}
