export { COLUMNS as REPORT_COLUMNS, WORDS as REPORT_VALUES } from './labels.ts'
