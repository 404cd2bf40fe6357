/** Twelve values a sample, as an energy analyzer sends them: full precision, none constant. */
export function makeSample(
  { startAt, stepMs }: { startAt: number; stepMs: number },
  device: number,
  step: number,
): { at: number; values: Record<string, number> } {
  const wave = Math.sin(step / 40 + device)
  const round = (value: number, decimals: number) => Number(value.toFixed(decimals))
  const power = round(12 + 8 * wave, 3)
  return {
    at: startAt + step * stepMs,
    values: {
      import_active_energy: round(10_000 + device + step * 0.217, 3),
      export_active_energy: round(200 + device + step * 0.011, 3),
      inductive_reactive_energy: round(1_000 + step * 0.043, 3),
      capacitive_reactive_energy: round(300 + step * 0.007, 3),
      voltage_l1: round(230 + wave, 1),
      voltage_l2: round(231 + wave, 1),
      voltage_l3: round(229 + wave, 1),
      current_l1: round(power / 0.69, 2),
      current_l2: round(power / 0.7, 2),
      current_l3: round(power / 0.68, 2),
      active_power: power,
      power_factor: round(0.95 + wave / 40, 3),
    },
  }
}
