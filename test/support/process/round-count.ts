/** The number of rounds of a long test; CHAOS_ROUNDS reduces it on a slow machine. */
export const roundsOr = (usual: number): number => Number(process.env['CHAOS_ROUNDS'] ?? usual)
