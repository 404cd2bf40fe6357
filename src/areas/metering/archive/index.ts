export { exportSamples } from './export.ts'
export { importSamples, isComplete, type MonthReport } from './import.ts'
export type { MonthFile } from './manifest.ts'
