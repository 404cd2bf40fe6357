import type { FastifyBaseLogger } from 'fastify'
import { type ConnectionOptions, ModbusConnection } from '../../platform/modbus/connection.ts'
import type { ModbusError } from '../../platform/modbus/modbus-error.ts'
import { AddressRefusedError, type ConnectGuard } from '../../platform/net/connect-guard.ts'
import type { SlaveConfig } from './slave.ts'

/** Address and slaves of a gateway to poll. */
export interface LineConfig {
  readonly tenantId: number
  readonly gatewayId: string
  readonly host: string
  readonly port: number
  readonly slaves: readonly SlaveConfig[]
}

interface LineConnectionDeps
  extends Pick<ConnectionOptions, 'guard' | 'provenAddress' | 'onProven' | 'random'> {
  readonly log: FastifyBaseLogger
}

/** A failed request and its duration. */
export interface Failure {
  readonly error: ModbusError
  readonly tookMs: number
}

export const connectDelayOf = (slaves: readonly SlaveConfig[]): number =>
  Math.max(0, ...slaves.map(({ map }) => map.bus.connectDelayMs))

/** Logs the first of consecutive refusals, for the operator: the report for the tenant does not name the reason. */
function logRefusals(guard: ConnectGuard, log: FastifyBaseLogger, gateway: string): ConnectGuard {
  let isLogged = false
  return {
    async resolve(target) {
      try {
        const addresses = await guard.resolve(target)
        isLogged = false
        return addresses
      } catch (error) {
        if (error instanceof AddressRefusedError && !isLogged) {
          isLogged = true
          const fields = { gateway, ...target, reason: error.message, setting: 'FIELD_ALLOWED_NETWORKS' }
          log.warn(fields, 'the address of a Modbus gateway is not allowed')
        }
        throw error
      }
    },
  }
}

export function makeLineConnection(
  { gatewayId, host, port, slaves }: LineConfig,
  { log, guard, ...options }: LineConnectionDeps,
): ModbusConnection {
  return new ModbusConnection({
    ...options,
    ...{ host, port, guard: logRefusals(guard, log, gatewayId) },
    connectDelayMs: connectDelayOf(slaves),
  })
}
