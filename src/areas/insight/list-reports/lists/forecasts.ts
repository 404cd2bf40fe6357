import { type ListReport, listReport } from '../list-report.ts'

/** Forecasts by hour, which are no measured energy. */
export const FORECAST_LISTS: readonly ListReport[] = [
  listReport(
    'hourly_forecasts',
    '/api/mahsuplasma/hourly-forecasts',
    ['Saatlik tahminler', 'Forecasts by hour'],
    'from_hour to_hour state facilities_total created_at | facilities_done finished_at facility_ids id',
  ),
  listReport(
    'hourly_forecast_series',
    '/api/mahsuplasma/hourly-forecasts/{id}#series',
    ['Saatlik tahminin puanları', 'Scores of the forecast by hour'],
    'facility_name kind history_hours score.mae_kwh score.naive_week_mae_kwh score.naive_year_mae_kwh ' +
      'score.coverage_pct | score.pinball_kwh score.hours history_from calibration.lower_factor ' +
      'calibration.upper_factor calibration.hours facility_id',
  ),
  listReport(
    'hourly_forecast_hours',
    '/api/mahsuplasma/hourly-forecasts/{id}/hours',
    ['Saatlik tahminin saatleri', 'Hours of the forecast'],
    'hour p10_kwh p50_kwh p90_kwh',
  ),
]
