/** Nesting limit; zigbee2mqtt nests features less deeply. */
const DEPTH_MAX = 5

const MEASURED: ReadonlySet<string> = new Set(['energy', 'power', 'produced_energy', 'power_phase_a'])

type Expose = Readonly<Record<string, unknown>>

function* entriesOf(exposes: unknown, depth = 0): Generator<Expose> {
  if (!Array.isArray(exposes) || depth > DEPTH_MAX) return
  for (const expose of exposes) {
    if (typeof expose !== 'object' || expose === null) continue
    yield expose as Expose
    yield* entriesOf((expose as Expose)['features'], depth + 1)
  }
}

/** Derives the device_type from the `exposes` of zigbee2mqtt. */
export function deviceTypeOf(exposes: unknown): 'smart_plug' | 'energy_analyzer' | 'sensor' {
  let measures = false
  let switches = false
  for (const { type, property } of entriesOf(exposes)) {
    if (type === 'switch') switches = true
    if (typeof property === 'string' && MEASURED.has(property)) measures = true
  }
  if (!measures) return 'sensor'
  return switches ? 'smart_plug' : 'energy_analyzer'
}
