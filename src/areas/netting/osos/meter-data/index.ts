export { type MeterDataFields, meterDataFault } from './fields.ts'
export { importMeterData } from './import.ts'
export type { MeterDataReport } from './schema.ts'
