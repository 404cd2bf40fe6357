export { type MeterDataFields, meterDataFault } from './fields.ts'
export { type ImportedMeterData, importMeterData } from './import.ts'
