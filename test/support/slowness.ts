/**
 * How many times longer tests may take on a cluster of Citus (CITUS_NODES), whose statements take several times as
 * long and whose nodes share the processors of a test machine.
 */
export const SLOWNESS = process.env['CITUS_NODES'] ? 5 : 1
