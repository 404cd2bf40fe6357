import type { Dialect } from './types.ts'

/** What Tasmota, zigbee2mqtt and others announce for Home Assistant: their devices are told by their own topics. */
export const homeAssistant: Dialect = {
  name: 'home_assistant',
  filters: [],
  claims: (topic) => topic.startsWith('homeassistant/'),
  decode: () => ({}),
}
