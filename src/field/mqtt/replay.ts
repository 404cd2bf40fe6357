import { replayDeadLetters } from '../../areas/equipment/gateway-link/index.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { REPLAY_NAMED_FOR_MS, REPLAYS_WAITING_MAX } from './limits.ts'

type ReplayDeps = Pick<Deps, 'database' | 'clock' | 'bus' | 'mqtt' | 'log'>

/**
 * Replays the dead letters of devices right after this process has created or named them: one gateway at a time,
 * beside all other work. Gateways beyond the limit, and those of a stopped process, are left to the scheduled job.
 */
export function replayNamedDevices(deps: ReplayDeps): { stop(): Promise<void> } {
  const { bus, log } = deps
  const waiting = new Map<string, { readonly tenantId: number; readonly gatewayId: string }>()
  let isStopping = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    for (const [key, gateway] of waiting) {
      waiting.delete(key)
      await replayDeadLetters(deps, gateway, {
        namedForMs: REPLAY_NAMED_FOR_MS,
        isGone: () => isStopping,
      }).catch((error: Error) => {
        if (!isStopping) log.warn({ reason: error.message, ...gateway }, 'dead letters were not replayed')
      })
    }
    running = undefined
  }

  const unsubscribe = bus.on('devices_named', (gateway) => {
    if (isStopping || waiting.size >= REPLAYS_WAITING_MAX) return
    waiting.set(`${gateway.tenantId}/${gateway.gatewayId}`, gateway)
    running ??= run()
  })
  return {
    async stop() {
      isStopping = true
      unsubscribe()
      waiting.clear()
      await running
    },
  }
}
