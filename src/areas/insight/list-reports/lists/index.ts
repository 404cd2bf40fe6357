import type { ListReport } from '../list-report.ts'
import { ADMINISTRATION_LISTS } from './administration.ts'
import { EQUIPMENT_LISTS } from './equipment.ts'
import { FORECAST_LISTS } from './forecasts.ts'
import { NETTING_LISTS } from './netting.ts'
import { OPERATION_LISTS } from './operations.ts'
import { OPTIMISATION_LISTS } from './optimisations.ts'
import { SCENARIO_LISTS } from './scenarios.ts'
import { SIZING_LISTS } from './sizings.ts'

/** Every list that can be downloaded. */
export const LIST_REPORTS: readonly ListReport[] = [
  ...EQUIPMENT_LISTS,
  ...OPERATION_LISTS,
  ...NETTING_LISTS,
  ...SCENARIO_LISTS,
  ...FORECAST_LISTS,
  ...OPTIMISATION_LISTS,
  ...SIZING_LISTS,
  ...ADMINISTRATION_LISTS,
]
