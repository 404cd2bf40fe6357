import { canonical } from './canonical.ts'
import { shelly } from './shelly.ts'
import { sparkplug } from './sparkplug.ts'
import { tasmota } from './tasmota.ts'
import { thingsboard } from './thingsboard.ts'
import type { Dialect } from './types.ts'
import { zigbee2mqtt } from './zigbee2mqtt.ts'

/**
 * Announcements of Tasmota, zigbee2mqtt and others for Home Assistant are ignored: the devices have topics
 * of their own.
 */
export const homeAssistant: Dialect = {
  name: 'home_assistant',
  filters: [],
  claims: (topic) => topic.startsWith('homeassistant/'),
  decode: () => ({}),
}

/** All dialects. A topic belongs to at most one of them. */
export const DIALECTS: readonly Dialect[] = [
  canonical,
  thingsboard,
  zigbee2mqtt,
  tasmota,
  shelly,
  sparkplug,
  homeAssistant,
]

/** The dialect of a topic below the gateway's root; undefined when no dialect claims it. */
export const dialectOf = (topic: string): Dialect | undefined =>
  DIALECTS.find((dialect) => dialect.claims(topic))
