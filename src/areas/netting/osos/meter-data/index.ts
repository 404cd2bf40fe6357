export { type MeterDataFields, meterDataFault } from './fields.ts'
export { type ImportedMeterData, importMeterData } from './import.ts'
export { facilityIdOf, installationIdOf } from './meter.ts'
