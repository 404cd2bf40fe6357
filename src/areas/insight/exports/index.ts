export { holdSlot } from './hold-slot.ts'
export { sweepExports } from './sweep.ts'
