import { canonical } from './canonical.ts'
import { homeAssistant } from './home-assistant.ts'
import { shelly } from './shelly.ts'
import { sparkplug } from './sparkplug.ts'
import { tasmota } from './tasmota.ts'
import { thingsboard } from './thingsboard.ts'
import type { Dialect } from './types.ts'
import { zigbee2mqtt } from './zigbee2mqtt.ts'

/** Every dialect that is understood. A topic belongs to at most one of them. */
export const DIALECTS: readonly Dialect[] = [
  canonical,
  thingsboard,
  zigbee2mqtt,
  tasmota,
  shelly,
  sparkplug,
  homeAssistant,
]

/** Whose topic it is, `topic` below the gateway's root; undefined when it is nobody's. */
export const dialectOf = (topic: string): Dialect | undefined =>
  DIALECTS.find((dialect) => dialect.claims(topic))
