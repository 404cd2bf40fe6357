/** How many rounds a long test plays: CHAOS_ROUNDS where the machine has little time. */
export const roundsOr = (usual: number): number => Number(process.env['CHAOS_ROUNDS'] ?? usual)
